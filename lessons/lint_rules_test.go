package lessons

import (
	"strings"
	"testing"
)

func TestRulesThatNothingCouldBreakAreDoubted(t *testing.T) {
	for lua, want := range map[string]string{
		`get("n") ~= "3"`:                       "compares with the text \"3\"",
		`'3' ~= hget("h", "f")`:                 "compares with the text \"3\"",
		`inside("lock") >= 0`:                   "is true whatever",
		`exists("a") or not exists("a")`:        "is true whatever",
		`(stock or 0) >= 0 or (stock or 0) < 0`: "is true whatever",
		`status("A") ~= "done"`:                 "is true whatever",
		`get("id") ~= "9007199254740993"`:       "",
		`tostring(get("n")) ~= "3"`:             "",
		`(n .. "") ~= "3"`:                      "",
		`stock >= 0`:                            "",
		`(stock or 0) >= 0`:                     "",
		`inside("lock") <= 1`:                   "",
		`get("owner") ~= "B"`:                   "",
		`status("A") ~= "failed"`:               "",
		`not (status("A") == "failed" and status("B") == "crashed" and status("C") == "finished")`: "",
		`not (exists("a") and exists("b"))`:  "",
		`row("stock", 10).stock >= 0`:        "",
		`(ttl("lock") or 0) <= 30000`:        "",
		`node("r").get("k") == get("k")`:     "",
		`get("a") ~= "x" or get("b") ~= "y"`: "",
		`lag("r") < 3 and leads("m")`:        "",
		`lag("r") ~= 1/0`:                    "",
		`exists("k") ~= nil`:                 "",
		`sismember("s", "A") ~= nil`:         "",
		`llen("l") ~= nil`:                   "",
		`row("stock", 10) ~= nil`:            "",
		`znode("/lock") ~= nil`:              "",
	} {
		l := &Lesson{Rules: []Rule{{Name: "rule", Lua: lua}}}
		text := ""
		for _, p := range l.Doubts() {
			text += p.Message.Error()
		}
		if want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", lua, text, want)
		}
	}
}

func TestRandomNumbersOfProgramsAreDoubted(t *testing.T) {
	l := &Lesson{Actors: []Actor{{Name: "A", Program: "sleep(math.random(1, 9))"}, {Name: "B", Program: "sleep(3)"}}}
	if found := l.Doubts(); len(found) != 1 || found[0].Code != CodeOneDraw {
		t.Errorf("found %v", found)
	}
}
