package draft_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons/draft"
)

// Who takes for writing does not give back for reading, and what extends takes nothing, whatever it is called.
func TestScriptsThatDoNotGoTogetherAreNotPlayed(t *testing.T) {
	tests := []struct{ scripts, played []string }{
		{[]string{"write-" + setNX, "read-unlock: return redis.call('srem', KEYS[1], ARGV[1])"}, []string{"write-lock"}},
		{[]string{
			"freeze: if tonumber(redis.call('hget', KEYS[1], 'left') or 0) < 1 then return 0 end redis.call('hincrbyfloat', KEYS[1], 'left', -1) redis.call('hincrbyfloat', KEYS[1], 'frozen', 1) return 1",
			"unfreeze: if tonumber(redis.call('hget', KEYS[1], 'frozen') or 0) < 1 then return 0 end redis.call('hincrbyfloat', KEYS[1], 'frozen', -1) redis.call('hincrbyfloat', KEYS[1], 'left', 1) return 1",
		}, []string{"freeze"}},
		{[]string{"start-deliver: if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('expire', KEYS[1], ARGV[2]) return 1 end return 0"}, []string{"start-deliver"}},
		{[]string{"policy-enforce: local n = redis.call('incr', KEYS[1]) if n == 1 then redis.call('expire', KEYS[1], 2) end if n > tonumber(ARGV[1]) then return 1 end return 0"}, []string{"policy-enforce"}},
		{[]string{delete, "reacquire: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('pexpire', KEYS[1], ARGV[2]) return 1"}, []string{"unlock", "reacquire"}},
		{[]string{delete, "extend: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1"}, []string{"unlock", "extend"}},
		{[]string{delete, "put-if-mine: if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1"}, []string{"unlock", "put-if-mine"}},
		{[]string{delete, "delay-lock: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0"}, []string{"unlock", "delay-lock"}},
	}
	for _, tt := range tests {
		if d, _ := made(t, draft.Chosen{}, tt.scripts...); !slices.Equal(d.Played, tt.played) {
			t.Errorf("it plays %v, want %v", d.Played, tt.played)
		}
	}
}

// A lock to read and one to write are told apart by what their scripts, classes or files are called, by their order, or by the
// mode that they write.
func TestALockToReadIsNoLockToWrite(t *testing.T) {
	const takesToRead = `"local mode = redis.call('hget', KEYS[1], 'mode') if mode == 'write' then return 0 end redis.call('hset', KEYS[1], 'mode', 'read') redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1"`
	const takesToWrite = `"local mode = redis.call('hget', KEYS[1], 'mode') if mode and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end redis.call('hset', KEYS[1], 'mode', 'write') redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2]) return 1"`
	const givesBack = `"if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end if redis.call('hincrby', KEYS[1], ARGV[1], -1) < 1 then redis.call('del', KEYS[1]) end return 1"`
	const freesAtOnce = `"if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end if redis.call('hincrby', KEYS[1], ARGV[1], -1) > -9 then redis.call('del', KEYS[1]) end return 1"`
	methods := func(takes, gives string) string {
		return "void lock() { eval(" + takes + "); }\nvoid unlock() { eval(" + gives + "); }\n"
	}
	reads, writes := methods(strings.ReplaceAll(takesToRead, "'read'", "'r'"), freesAtOnce), methods(takesToWrite, givesBack)
	tests := []struct {
		name, file, text string
		played           []string
		code             string // of what it doubts; empty: nothing
	}{
		{"the file", "MyReadLock.java", reads, []string{"read-lock", "read-unlock"}, "draft-no-refusal"},
		{"the class", "locks.java", "class ReadLock {\n" + reads, []string{"read-lock", "read-unlock"}, "draft-no-refusal"},
		{"the mode", "locks.java", methods(takesToRead, freesAtOnce), []string{"lock", "unlock"}, "draft-no-refusal"},
		{"neither", "ReadWriteLock.java", reads, []string{"lock", "unlock"}, "draft-refuses-nobody"},
		{"two classes", "locks.java", "class ReadLock {\n" + reads + "}\nclass WriteLock {\n" + writes + "}", []string{"write-lock", "write-unlock"}, ""},
		{"a class in a file of the other", "ReadLock.java", reads + "class WriteLock {\n" + writes + "}", []string{"write-lock", "write-unlock"}, ""},
		{"one text in two classes", "locks.java", "class ReadLock {\n" + methods(takesToRead, givesBack) + "}\nclass WriteLock {\n" + writes + "}", []string{"write-lock", "write-unlock"}, ""},
		{"the order", "locks.java", reads + writes, []string{"lock-2", "unlock-2"}, ""},
	}
	for _, tt := range tests {
		found, err := draft.Scripts(tt.file, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == tt.code })
		if !slices.Equal(d.Played, tt.played) || said != (tt.code != "") || !said && len(d.Doubts) > 0 {
			t.Errorf("%s: it plays %v and doubts %v, want %v and %q", tt.name, d.Played, d.Doubts, tt.played, tt.code)
		}
	}
}

// What only deletes gives a lock back, even if it has the lock's name.
func TestWhatOnlyDeletesTakesNoLock(t *testing.T) {
	d, l := made(t, draft.Chosen{}, strings.Replace(delete, "unlock", "my-lock", 1))
	if !strings.Contains(l.Actors[0].Program, `redis.call("SET", "lock", me`) {
		t.Errorf("nobody takes the lock with SET: %v\n%s", d.Doubts, l.Actors[0].Program)
	}
}

// Numbers that only grow refuse nobody, whatever is removed meanwhile.
func TestAnIDIsNoLock(t *testing.T) {
	found, err := draft.Scripts("queue.js", "const addJob = `local id = redis.call('incr', KEYS[1]) redis.call('hset', KEYS[2], id, ARGV[1]) return id`\nconst removeJob = `return redis.call('hdel', KEYS[1], ARGV[1])`")
	if err != nil {
		t.Fatal(err)
	}
	if d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{}); err == nil {
		t.Errorf("a lesson is made of %v: %v", d.Played, d.Doubts)
	}
}

// A script that has no key of the lock does not give it back.
func TestWhatHasOtherKeysGivesNothingBack(t *testing.T) {
	d, _ := made(t, draft.Chosen{}, "enqueue-unique: if redis.call('set', KEYS[1], 1, 'NX', 'EX', 60) then redis.call('lpush', KEYS[2], ARGV[1]) return 'ok' end return 'dup'",
		"delete-single: return redis.call('zrem', KEYS[1], ARGV[1])")
	if !slices.Equal(d.Played, []string{"enqueue-unique"}) {
		t.Errorf("it plays %v", d.Played)
	}
}

// What the code sends by itself gives back what a script has taken.
func TestASemaphoreIsGivenBackByTheCode(t *testing.T) {
	found, err := draft.Scripts("sem.py", `
ACQUIRE = """
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3]) redis.call('pexpire', KEYS[1], 10000) return 1
"""
def leave(self): self.client.zrem(self.key, self.id)
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if err != nil || !slices.Equal(d.Played, []string{"acquire", "zrem"}) || !slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-of-code" }) {
		t.Errorf("it plays %v and doubts %v, want that the code gives back (%v)", d.Played, d.Doubts, err)
	}
}

// What the code sends by itself is no release if it frees nothing when it is tried.
func TestWhatTheCodeSendsMayBelongToSomethingElse(t *testing.T) {
	found, err := draft.Scripts("queue.py", `
SCHEDULE = """
if redis.call('exists', KEYS[1]) == 1 then return nil end
redis.call('setex', KEYS[1], ARGV[1], 1) redis.call('zadd', KEYS[2], ARGV[2], 'job') return 1
"""
def forget(self, job): self.client.zrem(self.incomplete, job)
`)
	if err != nil {
		t.Fatal(err)
	}
	d, err := draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if err != nil || !slices.Equal(d.Played, []string{"schedule"}) {
		t.Errorf("it plays %v, want the script alone (%v)", d.Played, err)
	}
}

// Where no script takes a lock, a release is played only if it fits a SET: it frees it, and asks who it is or is called so.
func TestAReleaseAloneMustFitASet(t *testing.T) {
	for script, code := range map[string]string{
		"unlock: if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return 0 end return redis.call('del', KEYS[1])": "draft-gives-nothing",
		"deregister: redis.call('srem', KEYS[2], ARGV[1]) return redis.call('hdel', KEYS[3], ARGV[1])":                "draft-gives-nothing",
		"delete-queue: return redis.call('del', KEYS[1], KEYS[2])":                                                    "draft-no-lock",
		"release: return redis.call('del', KEYS[1])":                                                                  "",
		"delete-mine: if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0":   "",
	} {
		name, source, _ := strings.Cut(script, ": ")
		found, err := draft.Scripts(name+".lua", source)
		if err != nil {
			t.Fatal(err)
		}
		_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
		if why := (fact.Fact{}); errors.As(err, &why) && why.Code != code || (err == nil) != (code == "") {
			t.Errorf("%s\n%v, want %q", script, err, code)
		}
	}
}
