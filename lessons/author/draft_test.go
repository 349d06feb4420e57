package author_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/draft"
)

// That two are inside only after a pause is said where all other searches have come to their ends.
func TestOnlyAfterAPauseIsSaidOfWhatWasSearched(t *testing.T) {
	found := func(kind engine.ChoiceKind, how search.Ending) lessons.Found {
		f := lessons.Found{Question: lessons.Question{Bounds: search.Bounds{Faults: map[engine.ChoiceKind]int{kind: 1}}}, Verdict: search.Verdict{Ending: how}}
		if how == search.Breaks {
			f.Verdict.Violation = &engine.Violation{Invariant: "mutual-exclusion"}
		}
		return f
	}
	paused := found(engine.Pause, search.Breaks)
	for how, said := range map[search.Ending]bool{search.Holds: true, search.Stops: false, search.Breaks: false} {
		if only := author.OnlyOutlived([]lessons.Found{found(engine.Crash, how), paused}); only != said {
			t.Errorf("with one crash it %s: only after a pause: %t", how, only)
		}
	}
}

// That a limiter holds is said with a doubt, and not claimed, unless the search with more stops of the clock has come to its end.
func TestWhatHoldsIsDoubtedWhereTheClockHadFewStops(t *testing.T) {
	scripts, err := draft.Scripts("window.lua", `local now, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local before = math.floor(tonumber(redis.call('get', KEYS[1]) or 0) * (1 - now % window / window))
if before + tonumber(redis.call('get', KEYS[2]) or 0) >= 1 then return 0 end
redis.call('incr', KEYS[2]) redis.call('pexpire', KEYS[2], window * 2) return 1`)
	if err != nil {
		t.Fatal(err)
	}
	const few, enough = 400, 100_000 // states
	for states, doubted := range map[int]bool{few: true, enough: false} {
		made, err := author.Reader{}.Draft(t.Context(), "01-my-lock", scripts, draft.Chosen{}, author.Each{States: states})
		if err != nil {
			t.Fatal(err)
		}
		holds := made.Found[0].Verdict.Ending == search.Holds
		coarse := slices.ContainsFunc(made.Doubts, func(f fact.Fact) bool { return f.Code == "draft-coarse" })
		if holds != doubted || coarse != doubted {
			t.Errorf("in %d states it holds: %t, and is doubted: %t, want %t", states, holds, coarse, doubted)
		}
		if claimed := strings.Contains(made.Files[0].Text, "{holds: all}"); claimed {
			t.Errorf("in %d states the lesson claims that it holds", states)
		}
	}
}

// Requests that are a little late break a lock whose lease is hardly longer than what its holder waits before it extends it.
func TestADraftIsSearchedForRequestsThatAreLate(t *testing.T) {
	for lease, want := range map[string]string{"10000": "{holds: all, time: late=2s}", "4000": "{breaks: mutual-exclusion, in: 3, time: late=2s}"} {
		scripts, err := draft.Scripts("locks.py", `LOCK = "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', `+lease+`) then return 1 end return 0"
EXTEND = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], `+lease+`) end return 0"`)
		if err != nil {
			t.Fatal(err)
		}
		made, err := author.Reader{}.Draft(t.Context(), "01-my-lock", scripts, draft.Chosen{}, author.Each{})
		if err != nil {
			t.Fatal(err)
		}
		if text := made.Files[0].Text; !strings.Contains(text, "  - {holds: all}\n") || !strings.Contains(text, want) {
			t.Errorf("a lease of %s ms: no %s in\n%s", lease, want, text)
		}
	}
}

// A search breaks a lock that its holder extends by a pause; a request that is late by more than a search of a draft allows does
// so, too. The hint says what the search has used, and not that it takes that.
func TestTheHintOfADraftSaysWhatTheSearchUsed(t *testing.T) {
	scripts, err := draft.Scripts("locks.py", `LOCK = "if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 10000) then return 1 end return 0"
EXTEND = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], 10000) end return 0"`)
	if err != nil {
		t.Fatal(err)
	}
	made, err := author.Reader{}.Draft(t.Context(), "01-my-lock", scripts, draft.Chosen{}, author.Each{})
	if err != nil {
		t.Fatal(err)
	}
	l, problems := author.Reader{}.Read("01-my-lock", made.Files)
	if l == nil {
		t.Fatal(problems)
	}
	c := l.Challenges[0]
	v, err := l.Explore(t.Context(), l.Open(lessons.Embedded), lessons.Question{Invariant: c.Goal.Break, Bounds: search.Bounds{Time: search.AnyLate}}, nil)
	if err != nil || v.Ending != search.Breaks {
		t.Fatal(v.Ending, err)
	}
	want := lessons.Text{En: "The search used `pause app-1`.", Zh: "搜索用到了 `pause app-1`。"}
	if c.Hint.Source != want {
		t.Errorf("the hint is %v, and %v is enough", c.Hint.Source, v.Schedule)
	}
}

func TestAScriptThatNoLessonMayHaveIsRefused(t *testing.T) {
	scripts, err := draft.Scripts("lock.lua", "--"+strings.Repeat("x", 16<<10)+"\nreturn redis.call('set', KEYS[1], ARGV[1])")
	if err != nil {
		t.Fatal(err)
	}
	_, err = author.Reader{}.Draft(t.Context(), "01-my-lock", scripts, draft.Chosen{}, author.Each{})
	if err == nil || !strings.HasPrefix(err.Error(), "lock.lua:1: this script has ") {
		t.Errorf("it says %v", err)
	}
}
