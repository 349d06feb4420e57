package draft_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/lessons/author"
	"lockstep/lessons/draft"
)

// A lock of plain commands is read off the code of each language.
func TestPlainCommandsAreALesson(t *testing.T) {
	tests := []struct {
		file, text, plays string
		deletes           bool // another's lock
	}{
		{"lock.ts", "const ok = await redis.set(key, token, 'NX', 'EX', 30);\nif (await redis.get(key) === token) await redis.del(key);", "SET NX PX, GET, DEL", true},
		{"lock.py", "ok = r.set(name, token, nx=True, ex=30)\nr.delete(name)\n", "SET NX PX, DEL", true},
		{"lock.go", "ok := rdb.SetNX(ctx, key, 1, time.Minute).Val()\nrdb.Del(ctx, key)\n", "SET NX PX, DEL", true},
		{"forever.go", "ok := rdb.SetNX(ctx, key, 1, 0).Val()\nrdb.Del(ctx, key)\n", "SETNX, DEL", false},
		{"Lock.java", "Boolean ok = template.opsForValue().setIfAbsent(key, \"1\", timeout);\ntemplate.delete(key);", "SET NX PX, DEL", true},
		{"lock.php", "<?php $ok = $redis->setnx($key, $id); $redis->expire($key, 30); $redis->del($key);", "SETNX, PEXPIRE, DEL", true},
		{"lock.rb", "if redis.set(\"lock:#{key}\", me, nx: true, px: ms)\n  redis.del \"lock:#{key}\"\nend\n", "SET NX PX, DEL", true},
		{"lock.ex", `Redix.command(c, ["SET", key, me, "NX", "PX", ttl]); Redix.command(c, ["DEL", key])`, "SET NX PX, DEL", true},
		{"Lock.cs", "db.StringSet(key, id, TimeSpan.FromSeconds(30), When.NotExists);", "SET NX PX", false},
	}
	for _, tt := range tests {
		found, err := draft.Scripts(tt.file, tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
		if err != nil {
			t.Fatal(err)
		}
		deletes := false
		for _, doubt := range d.Doubts {
			deletes = deletes || doubt.Code == "draft-deletes-anothers"
		}
		if got := strings.Join(d.Played, ", "); got != tt.plays || deletes != tt.deletes {
			t.Errorf("%s plays %s and deletes another's lock: %v, want %s and %v", tt.file, got, deletes, tt.plays, tt.deletes)
		}
		l, problems := (author.Reader{}).Read("01-my-lock", d.Files)
		if l == nil {
			t.Errorf("%s: %v\n%s", tt.file, problems, d.Files[0].Text)
			continue
		}
		told := 0
		for _, c := range l.Choices() {
			if c.String() == "run A" {
				told++
			}
		}
		if told != len(d.Played) {
			t.Errorf("%s: the story tells %d commands of A, which sends %s", tt.file, told, tt.plays)
		}
	}
}

// A value that says when the lock ends is another protocol, which is not guessed.
func TestAnExpiryInTheValueIsNotRead(t *testing.T) {
	for _, text := range []string{"redis.setnx(key, time() + 30)", "redis.setnx(key, until)\nredis.getset(key, until)"} {
		if found, err := draft.Scripts("lock.php", text); err == nil {
			t.Errorf("%s is read as %v", text, found)
		}
	}
}

// What a program fills in as it runs becomes KEYS and ARGV, and texts of its own stand where it puts them.
func TestWhatAProgramFillsIn(t *testing.T) {
	tests := []struct {
		file, text, begins string
		filled             []string
	}{
		{"Lock.cs", "Take = new($@\"if redis.call('set', {key}, {owner}, 'NX', 'PX', {ttl}) then return 1 end\");", "local key, owner, ttl = KEYS[1], ARGV[1], ARGV[2] if", []string{"key", "owner", "ttl"}},
		{"Named.cs", "Take = LuaScript.Prepare(@\"return redis.call(\"\"set\"\", @key, @owner)\");", "local key, owner = KEYS[1], ARGV[1] return redis.call(\"set\", key, owner)", []string{"key", "owner"}},
		{"lock.ts", "const take = `local id = '${id}' return redis.call('set', KEYS[1], id)`;", "local given_id = ARGV[1] local id = given_id", []string{"id"}},
		{"Lock.php", "<?php function clock() { return '\nlocal now = redis.call(\"TIME\")[1]\n'; }\nfunction take() { $script = '\n'.$this->clock().'return redis.call(\"set\", KEYS[1], now)'; }", "\n\nlocal now = redis.call(\"TIME\")[1]\nreturn", nil},
	}
	for _, tt := range tests {
		found, err := draft.Scripts(tt.file, tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		if s := found[len(found)-1]; !strings.HasPrefix(s.Source, tt.begins) || !slices.Equal(s.Filled, tt.filled) {
			t.Errorf("%s: %v fills\n%s", tt.file, s.Filled, s.Source)
		}
	}
}
