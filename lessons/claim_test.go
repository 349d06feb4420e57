package lessons_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/search"
	"lockstep/lessons"
)

func proven(t *testing.T, l *lessons.Lesson) string {
	t.Helper()
	found, err := l.Prove(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return found.Of(lessons.Error).Error()
}

// What the built-in lessons claim is true.
func TestBuiltInLessonsAreProven(t *testing.T) {
	all := builtIn(t)
	claims, repairs := 0, 0
	for _, l := range all {
		claims += len(l.Claims)
		for _, c := range l.Challenges {
			if c.Goal.Repair != nil {
				repairs++
			}
		}
		if text := proven(t, l); text != "" {
			t.Error(text)
		}
	}
	if claims < 30 || repairs < 2 {
		t.Errorf("%d claims and %d repairs", claims, repairs)
	}
}

func claiming(t *testing.T) *lessons.Lesson { return named(t, "compare-and-delete") }

func named(t *testing.T, name string) *lessons.Lesson {
	t.Helper()
	for _, l := range builtIn(t) {
		if l.Name == name {
			return l
		}
	}
	t.Fatal("there is no lesson " + name)
	return nil
}

// What holds where the clock stops seldom, and was not searched to the end where it stops more often, is said to be so.
func TestACheckSaysWhichCloserLookWasStopped(t *testing.T) {
	l := *named(t, "no-ttl")
	l.Challenges = nil
	found, err := l.Prove(t.Context())
	if err != nil || len(found) != 1 || found[0].Severity != lessons.Hint || found[0].Code != lessons.CodeNotCloser ||
		found[0].Place != l.Claims[0].Place || !strings.HasPrefix(found[0].Message.Error(), "1 of what holds was not searched to its end") {
		t.Errorf("it is told %v, %v", found, err)
	}
	l.Claims = l.Claims[1:] // breaks
	if found, err := l.Prove(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("of breaks it is told %v, %v", found, err)
	}
}

// ShedLock's lock is over when it is taken by a client that has looked at its clock long before, which the clock must stop for.
func TestAClaimIsLookedAtMoreClosely(t *testing.T) {
	l := *named(t, "shedlock")
	l.Challenges = nil
	l.Claims = []lessons.Claim{{Ending: search.Holds, Question: lessons.Question{Invariant: "mutual-exclusion"}}}
	if got := proven(t, &l); !strings.Contains(got, "it breaks in 7: mutual-exclusion") {
		t.Errorf("%q", got)
	}
}

// The same of a repair: it keeps all rules, whichever its goal names.
func TestARepairIsLookedAtMoreClosely(t *testing.T) {
	l := *named(t, "shedlock")
	l.Rules = []lessons.Rule{{Name: "always", Lua: "true"}}
	r, err := lessons.NewRepair(t.Context(), &l, &l, lessons.Goal{Repair: &lessons.Question{Invariant: "always"}})
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = r.Continue(t.Context(), 1024); err != nil {
			t.Fatal(err)
		}
	}
	c := r.Closer()
	if c.First.Ending != search.Holds {
		t.Fatalf("at first: %+v", c.First)
	}
	for {
		look, err := c.Search(t.Context(), 5_000, 1_000)
		if err != nil {
			t.Fatal(err)
		}
		if look == nil {
			break
		}
		if _, err := look.Continue(t.Context(), 5_000); err != nil {
			t.Fatal(err)
		}
		c.Heard(look.Verdict())
	}
	if v := c.Verdict; v.Ending != search.Breaks || v.Violation.Invariant != "mutual-exclusion" {
		t.Errorf("it %s: %v", v.Ending, v.Violation)
	}
}

// And of a repair after which nobody starves: the lesson's rules hold as well.
func TestARepairForWhoStarvesIsLookedAtMoreClosely(t *testing.T) {
	text := asksForTTL + `actors:
  A: {process: p1, program: 'redis.call("SET", "door", me) redis.eval("late", {"door", "bad"}) enter("door") leave("door")'}
  B: {process: p2, program: 'want("door") while not redis.call("SET", "door", me, "NX") do sleep("5s") end unwant("door") enter("door")'}
invariants: [{name: never, lua: 'not exists("bad")'}]
story: [{run: A}]
challenge:
  say: {en: x, zh: x}
  goal: {repair: nobody-starves, time: any}
  hint: {en: x, zh: x}
  edits:
    program:A: redis.call("SET", "door", me, "PX", 5000) redis.eval("late", {"door", "bad"}) enter("door") leave("door")
`
	l := written(t, text)
	if got := proven(t, l); !strings.Contains(got, "it breaks in 3: never") {
		t.Errorf("%q", got)
	}
}

// A claim that is not true is reported with what a search finds instead.
func TestFalseClaimsAreReported(t *testing.T) {
	l := *claiming(t)
	l.Challenges = nil
	for _, c := range []struct {
		claim lessons.Claim
		want  string
	}{
		{lessons.Claim{Ending: search.Holds, Question: lessons.Question{Bounds: search.Bounds{Time: search.AnyLate}}}, "it breaks in 6: released-by-holder"},
		{lessons.Claim{Ending: search.Breaks, Length: 5, Question: lessons.Question{Bounds: search.Bounds{Time: search.AnyLate}}}, "it breaks in 6: released-by-holder"},
		{lessons.Claim{Ending: search.Breaks, Length: 5}, "it holds: 210 states"},
		{lessons.Claim{Ending: search.Holds, Question: lessons.Question{Bounds: search.Bounds{States: 20}}}, "the search stopped after 21 states and 2 choices: there are more states than it may look at\n  give a loop that reads a clock, or counts on, a number of attempts;"},
	} {
		l.Claims = []lessons.Claim{c.claim}
		if got := proven(t, &l); !strings.Contains(got, c.want) {
			t.Errorf("%v: %q does not contain %q", c.claim, got, c.want)
		}
	}
}

// A solution must keep every rule, and leave everybody what they could do before.
func TestSolutionsThatRepairNothingAreReported(t *testing.T) {
	l := *claiming(t)
	l.Claims = nil
	repair := l.Challenges[len(l.Challenges)-1]
	for _, c := range []struct{ source, want string }{
		{`trylock("lock1", 10000) work("9s") unlock_in_two_steps("lock1")`, "it breaks in"},
		{`redis.call("GET", "lock1")`, "A never gets inside lock1"},
		{`if redis.call("SET", "lock1", me, "NX", "PX", 10000) then enter("other") work("2s") leave("other") end`, "A never gets inside lock1"},
	} {
		bad := repair
		bad.Edits = []lessons.PartEdit{{Part: repair.Edits[0].Part, Source: c.source}}
		l.Challenges = []lessons.Challenge{bad}
		if got := proven(t, &l); !strings.Contains(got, c.want) {
			t.Errorf("%q does not contain %q", got, c.want)
		}
	}
	short := repair // the search of the solution ends within the bound, that of the lesson as it was before does not
	short.Goal.Repair = &lessons.Question{Invariant: repair.Goal.Repair.Invariant, Bounds: repair.Goal.Repair.Bounds}
	short.Goal.Repair.Bounds.States = 700
	l.Challenges = []lessons.Challenge{short}
	if got := proven(t, &l); !strings.Contains(got, "the search stopped") {
		t.Errorf("what could happen before is not known, and %q is told", got)
	}
	good := repair
	good.Goal.Repair = &lessons.Question{Invariant: "mutual-exclusion", Bounds: search.Bounds{Time: search.Arrive}}
	l.Challenges = []lessons.Challenge{good}
	if got := proven(t, &l); !strings.Contains(got, "the goal, in the lesson as it is") {
		t.Errorf("a lesson that is not broken is to be repaired: %q", got)
	}
}

// The hint of abandoned-future asks whether the cancel may come before the answer or after it: after it is too late.
func TestWhoCancelsAfterTheAnswerHasRepairedNothing(t *testing.T) {
	l := *lessons.Find(builtIn(t), "abandoned-future")
	l.Claims = nil
	late := l.Challenges[0]
	lines := strings.Split(strings.TrimSpace(late.Edits[0].Source), "\n")
	cancels, answers := &lines[len(lines)-3], &lines[len(lines)-2]
	*cancels, *answers = *answers, *cancels
	late.Edits = []lessons.PartEdit{{Part: late.Edits[0].Part, Source: strings.Join(lines, "\n")}}
	l.Challenges = []lessons.Challenge{late}
	if got := proven(t, &l); !strings.Contains(got, "it breaks in 3: who-gave-up-holds-nothing") {
		t.Errorf("%q", got)
	}
}

// Half a repair is none: each of these changes of a good one once passed.
func TestHalfARepairIsNone(t *testing.T) {
	for _, c := range []struct {
		lesson, part string
		changed      []string
		want         string
	}{
		{"no-ttl", "program:B", []string{`"SET", "lock2"`, `"SET", "other"`, `"DEL", "lock2"`, `"DEL", "other"`}, "can never become true"},
		{"eval", "script:rename", []string{"local changes = redis.call('incr', KEYS[2])", "if not tonumber(redis.call('get', KEYS[2])) then return end local changes = redis.call('set', KEYS[2], 1)"}, "no-change-uncounted"},
		{"async-lock", "program:A", []string{`":" .. me`, `":pool-1"`, `await("callback")`, ""}, "unlocked-is-free"},
		{"async-lock", "program:A", []string{`await("callback")`, `sleep("10s")`}, "unlocked-is-free"},
		{"abandoned-future", "program:B", []string{`cancel("future")                          -- future`, `pcall(await, "future") -- future`}, "who-gave-up-holds-nothing"},
		{"fair-wait-of-nothing", "script:lock", []string{"if redis.call('zscore', KEYS[3], ARGV[2]) then", "if true then"}, "can never become true"},
	} {
		l := *lessons.Find(builtIn(t), c.lesson)
		l.Claims = nil
		half := l.Challenges[0]
		half.Edits = slices.Clone(half.Edits)
		for i, e := range half.Edits {
			if e.Part.String() == c.part {
				half.Edits[i].Source = strings.NewReplacer(c.changed...).Replace(e.Source)
			}
		}
		l.Challenges = []lessons.Challenge{half}
		if got := proven(t, &l); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, not %q", c.lesson, got, c.want)
		}
	}
}

// In observed-lease a holder that sends heartbeats keeps its lock for longer than any wait that is not measured from the last of them,
// and one that has crashed may not keep it for long.
func TestWhoOnlyCountsItsSleepsHasRepairedNothing(t *testing.T) {
	right := lessons.Find(builtIn(t), "observed-lease").Challenges[0]
	looked := "    if row.rvn ~= rvn then\n      rvn, unchanged = row.rvn, 0\n    end\n"
	source := strings.Replace(right.Edits[0].Source, looked, "    rvn = row.rvn\n", 1)
	for after, want := range map[string]string{"lease": "it breaks in", "15000": "it breaks in", "25000": "can never become true"} {
		l := *lessons.Find(builtIn(t), "observed-lease")
		l.Claims = nil
		blind := right
		blind.Edits = []lessons.PartEdit{{Part: right.Edits[0].Part, Source: strings.Replace(source, "unchanged >= lease", "unchanged >= "+after, 1)}}
		l.Challenges = []lessons.Challenge{blind}
		if got := proven(t, &l); !strings.Contains(got, want) {
			t.Errorf("after %s: %q", after, got)
		}
	}
}

// In interrupted, who has no watchdog at all has nothing that renews a lock on and on, and no lock that lives as long as its work either.
func TestWhoStartsNoWatchdogHasRepairedNothing(t *testing.T) {
	l := *lessons.Find(builtIn(t), "interrupted")
	l.Claims = nil
	none := l.Challenges[0]
	before, rest, _ := strings.Cut(none.Edits[0].Source, "  while true do\n")
	_, after, ok := strings.Cut(rest, "  end\n")
	if !ok {
		t.Fatalf("the repair has no watchdog: %s", none.Edits[0].Source)
	}
	none.Edits = []lessons.PartEdit{{Part: none.Edits[0].Part, Source: before + after}}
	l.Challenges = []lessons.Challenge{none}
	if got := proven(t, &l); !strings.Contains(got, `status("A:watchdog") == "sleeping") can never become true`) {
		t.Errorf("%q", got)
	}
}
