package draft_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons/draft"
)

// Why a script fails is said.
func TestWhatCannotBePlayedIsSaid(t *testing.T) {
	for code, script := range map[string]string{
		"draft-random":            "if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('zadd', KEYS[1], ARGV[1], ARGV[1] .. math.random(tonumber(ARGV[2]))) return 1",
		"draft-decodes":           "for _, limit in ipairs(cjson.decode(ARGV[1])) do if redis.call('incr', KEYS[1]) > limit[2] then return 0 end end return 1",
		"draft-only-counts":       "redis.call('sadd', KEYS[1], ARGV[1]) return {1, redis.call('incr', KEYS[2])}",
		"draft-keeps-greatest":    "local last = tonumber(redis.call('get', KEYS[1])) if last and last >= tonumber(ARGV[1]) then return 0 end redis.call('set', KEYS[1], ARGV[1]) return 1",
		"draft-keeps-smallest":    "local low = tonumber(redis.call('get', KEYS[1])) if low and low <= tonumber(ARGV[1]) then return 0 end redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1",
		"draft-defined-elsewhere": "if redis.call('setnx', lock_key, ARGV[1]) == 1 then return 1 end return 0",
		"draft-idempotent":        "local idempotencyKey = KEYS[2] local done = redis.call('get', idempotencyKey) if done then return {done, 0} end redis.call('set', KEYS[1], ARGV[1]) redis.call('set', idempotencyKey, ARGV[1], 'EX', ARGV[2]) return {ARGV[1], 1}",
		"draft-tells-first":       "local epoch = redis.call('hget', KEYS[1], 'e') if not epoch then epoch = ARGV[1] redis.call('hset', KEYS[1], 'e', epoch) redis.call('expire', KEYS[1], ARGV[2]) end return {0, epoch}",
		"draft-zero-is-true":      "local lock = KEYS[1] if redis.call('exists', KEYS[1]) then return 0 end redis.call('set', KEYS[1], ARGV[1]) return 1",
		"draft-global":            "found = redis.call('get', KEYS[1]) if found then return 0 end redis.call('set', KEYS[1], ARGV[1]) return 1",
		"draft-failed":            "if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then redis.call('expire', KEYS[1], 'soon') return 1 end return 0",
	} {
		found, err := draft.Scripts("step.lua", script)
		if err != nil {
			t.Fatal(err)
		}
		_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
		if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != code || strings.Contains(err.Error(), "on @user_script") {
			t.Errorf("%v, want %s", err, code)
		}
	}
}

// In Lua, SET answers a table, which is never equal to the text OK.
func TestALockThatSaysNoToEverybodyIsSaid(t *testing.T) {
	found, err := draft.Scripts("lock.lua", "local result = redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) if result == 'OK' then return 1 end return 0")
	if err != nil {
		t.Fatal(err)
	}
	_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != "draft-grants-nobody" {
		t.Error(err)
	}
}

// JSON that a script stores and decodes is not told by an error of the decoder.
func TestStoredJSONIsSaid(t *testing.T) {
	script := "local has = redis.call('get', KEYS[1]) if has and cjson.decode(has).owner ~= ARGV[1] then return 0 end redis.call('set', KEYS[1], ARGV[2]) return 1"
	found, err := draft.Scripts("claim.lua", script)
	if err != nil {
		t.Fatal(err)
	}
	_, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{})
	if why := (fact.Fact{}); !errors.As(err, &why) || why.Code != "draft-decodes" || !strings.Contains(err.Error(), "KEYS[1]") {
		t.Error(err)
	}
}

// Of several scripts, one that the server cannot run is not passed over for one that takes nothing.
func TestALockThatCannotRunIsSaid(t *testing.T) {
	found, err := draft.Scripts("Store.php", `
$save = 'redis.call("ZINTERSTORE", KEYS[2], 2, KEYS[1], KEYS[2]) if redis.call("ZCARD", KEYS[2]) > 0 then return false end redis.call("ZADD", KEYS[2], 1, ARGV[1]) return true';
$putOff = 'return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])';
$delete = 'return redis.call("ZREM", KEYS[1], ARGV[1])';
`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = draft.New(t.Context(), "my-lock", found, draft.Chosen{}); err == nil || !strings.Contains(err.Error(), "ZINTERSTORE") {
		t.Error(err)
	}
}

// A lock that refuses nobody is not judged by a SET in its place: Redis's nil is false in Lua, so this is always a yes.
func TestAScriptThatRefusesNobodyIsPlayed(t *testing.T) {
	d, _ := made(t, draft.Chosen{}, "acquire-lock: if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) ~= nil then return 'yes' end return 'no'", delete)
	refuses := slices.ContainsFunc(d.Doubts, func(f fact.Fact) bool { return f.Code == "draft-refuses-nobody" })
	if !slices.Contains(d.Played, "acquire-lock") || !refuses {
		t.Errorf("it plays %v and doubts %v, want the lock itself, and that it refuses nobody", d.Played, d.Doubts)
	}
}
