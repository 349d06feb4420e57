package main

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons/author"
)

func TestWhatIsPastedBecomesALessonWithVerdicts(t *testing.T) {
	d, err := draftOf(t.Context(), []string{
		"if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0",
		`String unlock = "if redis.call('get', KEYS[1]) == ARGV[1] then " + "return redis.call('del', KEYS[1]) end return 0";`,
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range d.Found {
		assumes := ""
		if late := f.Question.Bounds.Time.Late; late > 0 {
			assumes = "late " + late.String()
		}
		for kind := range f.Question.Bounds.Faults {
			assumes = string(kind)
		}
		found = append(found, assumes+" "+string(f.Verdict.Ending))
	}
	if got := strings.Join(found, ", "); got != " holds, late 2s holds, crash holds, pause breaks, pause holds" {
		t.Errorf("it was found that %s", got)
	}
	if f := d.Found[3]; f.Question.Bounds.Faults[engine.Pause] != 1 || f.Verdict.Ending != search.Breaks || f.Trace == nil {
		t.Errorf("%+v", f)
	}
	l, problems := author.Reader{}.Read(d.Folder, d.Files)
	if l == nil {
		t.Fatalf("the editor cannot read it: %v", problems)
	}
	if len(l.Challenges) != 1 || l.Challenges[0].Goal.Break != "mutual-exclusion" || !slices.Equal(l.Challenges[0].Solution, d.Found[3].Verdict.Schedule) {
		t.Errorf("the lesson does not lead to what was found: %+v", l.Challenges)
	}
	if _, err := draftOf(t.Context(), []string{"print('hello')"}); err == nil {
		t.Error("what calls no Redis has become a lesson")
	}
	if _, err := draftOf(t.Context(), []string{"hello, lock"}); err == nil || !strings.HasPrefix(err.Error(), "there is no script in the text") {
		t.Errorf("of what is no script it is said: %v", err)
	}
}

// Of one text, nobody has said that it takes a lock.
func TestWhatIsPastedAloneIsWhatItDoes(t *testing.T) {
	for text, says := range map[string]string{
		"local n = redis.call('incr', KEYS[1]) if n == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end if n > tonumber(ARGV[2]) then return 0 end return 1": "one-call-per-span",
		"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0":                                                         `redis.call("SET", "lock", me, "NX", "PX", 10000)`,
		"if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end return 0":                                                               "mutual-exclusion",
	} {
		d, err := draftOf(t.Context(), []string{text})
		if err != nil {
			t.Fatal(err)
		}
		if f := d.Found[0]; f.Verdict.Ending != search.Holds || !strings.Contains(d.Files[0].Text, says) {
			t.Errorf("%s: while nobody fails, it %s:\n%s", text, f.Verdict.Ending, d.Files[0].Text)
		}
	}
}
