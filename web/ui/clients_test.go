package ui

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// outcomes are programs for the lock clients of the lessons, and what the page is to
// tell of them.
var outcomes = []struct {
	name     string
	lesson   string // whose client and scripts they call
	programs map[string]string
	schedule string
}{
	{
		"refused, expired, and freed by a stranger", "set-nx",
		map[string]string{"A": `trylock("order", 10) work("12s") unlock("order")`, "B": `trylock("order", 10) trylock("order", 10) work("5s")`},
		"run A, run B, tick 10s, run B, tick 2s, run A",
	},
	{
		"released, and not the holder any more", "compare-and-delete",
		map[string]string{
			"A": `trylock("order", 10000) work("1s") unlock("order") trylock("order", 10000) work("10s") unlock("order")`,
			"B": `trylock("order", 10000) trylock("order", 10000) work("5s")`,
		},
		"run A, run B, tick, run A, run A, tick 10s, run B, run A",
	},
	{
		"entered twice, and a client that cannot tell", "reentrant-lock",
		map[string]string{
			"A": `trylock("order") trylock("order") unlock("order") unlock("order") redis.eval("unlock", {"order"}, {me, 30})`,
			"B": `trylock("order")`,
		},
		"run A, run A, run B, run A, run A, run A",
	},
	{
		"trylock without a wait, and with one", "redisson-lock",
		map[string]string{
			"A": `lock("order", 30000) work("40s") unlock("order")`,
			"B": `trylock("order", 0) trylock("order", 5000)`,
		},
		"run A, run B, run B, run B, run B, tick 5s, run B, tick 35s, run A",
	},
	{
		"waiting, woken, still held, released", "redisson-lock",
		map[string]string{
			"A": `lock("order", 30000) lock("order", 30000) work("1s") unlock("order") unlock("order")`,
			"B": `lock("order", 30000)`,
		},
		"run A, run A, run B, run B, run B, tick 1s, run A, run A, run B, run B, run B",
	},
	{
		"a watchdog that is too late", "redisson-lock",
		map[string]string{"A": `lock("order") work("60s")`, "B": `lock("order")`},
		"run A, tick 30s, run B, run A:watchdog",
	},
	{
		"refused in a queue", "fair-lock",
		map[string]string{
			"A": `lock("order", 30000) work("1s") unlock("order")`,
			"B": `lock("order", 30000)`, "C": `lock("order", 30000)`,
		},
		"run A, run B, run B, run B, run C, tick 1s, run A, run B, run B",
	},
	{
		"too late for the lock and for the store", "fencing",
		map[string]string{
			"A": `local token = lock("order", 1000) work("2s") unlock("order") append("file", "x", token)`,
			"B": `local token = lock("order", 10000) append("file", "y", token)`,
		},
		"run A, run B, tick 1s, run B, run B, tick 1s, run A, run A",
	},
	{
		"readers and a writer", "read-write-lock",
		map[string]string{
			"A": `readLock("order", 5000) work("5s") readUnlock("order")`,
			"B": `writeLock("order", 10000)`, "C": `readLock("order", 5000)`,
		},
		"run A, run B, run B, run B, tick 5s, run B, run C, run A",
	},
	{
		"a client that says nothing", "eval",
		map[string]string{
			"A": `redis.call("SET", "order", me, "NX", "PX", 10000)`,
			"B": `redis.call("SET", "order", me, "NX", "PX", 10000) redis.call("PTTL", "order") redis.call("GET", "order") redis.call("INCR", "order")`,
		},
		"run A, run B, run B, run B, run B",
	},
}

var outcomeMarks = map[outcome]string{
	outAnswered: "•", outOK: "✓", outDenied: "✗", outTime: "⏱", outFault: "⚡", outMessage: "✉", outOpen: "○", outBroken: "!",
}

// TestWhatThePageTellsOfEachClient compares a mark and a sentence for each step, in
// both languages: go test -update writes them anew. Only who is inside gets a tick.
func TestWhatThePageTellsOfEachClient(t *testing.T) {
	catalog := lessonsBuiltIn(t)
	byName := map[string]*lessons.Lesson{}
	for _, l := range catalog {
		byName[l.Name] = l
	}
	var got strings.Builder
	for _, tt := range outcomes {
		got.WriteString("# " + tt.lesson + ": " + tt.name + "\n")
		for _, step := range played(t, byName[tt.lesson], tt.programs, tt.schedule) {
			mark := outcomeMarks[outcomeOf(&step)]
			if worst := worstOf(&step); worst != outcomeOf(&step) {
				mark += outcomeMarks[worst]
			}
			got.WriteString(mark + " " + Sentence(lessons.En, &step) + "\n  " + Sentence(lessons.Zh, &step) + "\n")
		}
		got.WriteString("\n")
	}
	golden(t, "clients.txt", got.String())
}

// played are the steps of a schedule in a lesson with other programs.
func played(t *testing.T, l *lessons.Lesson, programs map[string]string, schedule string) []engine.Step {
	t.Helper()
	own := *l
	own.Actors, own.Rules, own.Invariants = nil, nil, []string{"mutual-exclusion", "released-by-holder"}
	for _, name := range []string{"A", "B", "C"} {
		if programs[name] != "" {
			own.Actors = append(own.Actors, lessons.Actor{Name: name, Process: "p" + name, Program: programs[name]})
		}
	}
	nodes := l.Open(lessons.Embedded)
	scenario, err := own.Scenario(nodes)
	if err != nil {
		t.Fatal(err)
	}
	var choices []engine.Choice
	for move := range strings.SplitSeq(schedule, ", ") {
		c, err := engine.ParseChoice(move)
		if err != nil {
			t.Fatal(err)
		}
		choices = append(choices, c)
	}
	_, trace, err := engine.Replay(t.Context(), scenario, choices)
	if err != nil {
		t.Fatalf("%s: %v\n%s", l.Name, err, trace)
	}
	return trace.Steps
}
