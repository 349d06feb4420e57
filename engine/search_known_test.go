package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons/client"
	"lockstep/node/redis"
)

// TestExploreFindsWhatIsKnown searches the casts of testdata/search, whose verdicts were
// worked out by hand. A file is casts and questions, each question with its answer below:
//
//	A app-1: if redis.call("SET", "lock", me, "NX", "PX", 10000) then …
//	B app-2: as A
//	nodes: m r<m                servers; r is a replica of m. Without it there is one, redis
//	faults: pause app-1
//	rules: mutual-exclusion
//
//	> arrive                    the assumption about time
//	> any, pause=1, states=100  … with faults that may happen, and bounds
//
// A line that begins with spaces goes on with the program above it. go test ./engine -update writes the answers: read the
// difference.
func TestExploreFindsWhatIsKnown(t *testing.T) {
	files, err := filepath.Glob("testdata/search/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no casts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := answers(t, string(text))
			if flag.Lookup("update").Value.String() == "true" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("go test ./engine -update rewrites it:\n%s", diff)
			}
		})
	}
}

// castFile is a cast as far as it was read.
type castFile struct {
	*testing.T
	scenario engine.Scenario
	programs map[string]string
	order    [][2]string // name and process
	asked    bool
}

func answers(t *testing.T, text string) string {
	f := &castFile{T: t}
	var out strings.Builder
	for line := range strings.Lines(text) {
		question, asks := strings.CutPrefix(strings.TrimSpace(line), "> ")
		switch {
		case asks:
			out.WriteString(line + f.answer(question) + "\n")
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
			out.WriteString(line)
		case !strings.HasPrefix(line, "= "):
			out.WriteString(line)
			f.declare(line)
		}
	}
	return out.String()
}

func (f *castFile) declare(line string) {
	if f.asked || f.programs == nil {
		f.programs, f.order, f.asked = map[string]string{}, nil, false
		f.scenario = engine.Scenario{Resolution: 100e6, Nodes: []engine.NodeSpec{{Name: "redis", Node: redis.NewNode()}}}
	}
	if strings.HasPrefix(line, " ") {
		f.programs[f.order[len(f.order)-1][0]] += line
		return
	}
	word, rest, _ := strings.Cut(line, ":")
	rest = strings.TrimSpace(rest)
	switch word {
	case "nodes":
		f.scenario.Nodes = nil
		for node := range strings.FieldsSeq(rest) {
			name, leader, _ := strings.Cut(node, "<")
			f.scenario.Nodes = append(f.scenario.Nodes, engine.NodeSpec{Name: name, Node: redis.NewNode(), ReplicaOf: leader})
		}
	case "faults":
		for text := range strings.SplitSeq(rest, ", ") {
			c, err := engine.ParseChoice(text)
			if err != nil {
				f.Fatal(err)
			}
			f.scenario.Faults = append(f.scenario.Faults, c)
		}
	case "rules":
		for name := range strings.FieldsSeq(rest) {
			if r, ok := engine.Rule(name); ok {
				f.scenario.Invariants = append(f.scenario.Invariants, r)
			} else if name == "nobody-starves" {
				f.scenario.Invariants = append(f.scenario.Invariants, search.NobodyStarves{})
			} else {
				f.Fatalf("there is no rule %q", name)
			}
		}
	default:
		name, process, _ := strings.Cut(word, " ")
		f.order = append(f.order, [2]string{name, process})
		if other, same := strings.CutPrefix(rest, "as "); same {
			rest = f.programs[other]
		}
		f.programs[name] = rest + "\n"
	}
}

func (f *castFile) answer(question string) string {
	s := f.scenario
	f.asked = true
	for _, a := range f.order {
		p, err := client.Compile(client.Setup{Node: s.Nodes[0].Name}, client.Chunk{Name: a[0], Source: f.programs[a[0]]})
		if err != nil {
			f.Fatal(err)
		}
		s.Actors = append(s.Actors, engine.ActorSpec{Name: a[0], Process: a[1], New: func() engine.Actor { return p.Start(a[0], a[1]) }})
	}
	b := search.Bounds{Faults: map[engine.ChoiceKind]int{}}
	for i, part := range strings.Split(question, ", ") {
		name, value, _ := strings.Cut(part, "=")
		n, _ := strconv.Atoi(value)
		var err error
		switch {
		case i == 0:
			b.Time, err = search.ParseTimeBound(part)
		case name == "states":
			b.States = n
		case name == "depth":
			b.Depth = n
		case name == "bytes":
			b.Bytes = n
		case name == "grid":
			b.Grid, err = engine.ParseSpan(value)
		default:
			b.Faults[engine.ChoiceKind(name)] = n
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	return f.search(s, b)
}

func (f *castFile) search(s engine.Scenario, b search.Bounds) string {
	v, err := search.Explore(f.Context(), s, b, nil)
	if err != nil {
		f.Fatal(err)
	}
	if v.Loop > 0 {
		f.goesRound(s, v)
	}
	return tell(v)
}

// goesRound replays a loop: it must end where it began, so that it can go on.
func (f *castFile) goesRound(s engine.Scenario, v search.Verdict) {
	state := func(choices []engine.Choice) string {
		w, _, err := engine.Replay(f.Context(), s, choices)
		if err != nil {
			f.Fatal(err)
		}
		return engine.StateText(w, v.Clocks)
	}
	stem := len(v.Schedule) - v.Loop
	if from, to := state(v.Schedule[:stem]), state(v.Schedule); from != to {
		f.Errorf("%v is no loop from choice %d on: it begins at\n%s\nand ends at\n%s", v.Schedule, stem+1, from, to)
	}
}

func tell(v search.Verdict) string {
	text := "= " + string(v.Ending)
	switch v.Ending {
	case search.Holds:
	case search.Breaks:
		var choices []string
		for i, c := range v.Schedule {
			if v.Loop > 0 && i == len(v.Schedule)-v.Loop {
				choices = append(choices, "for ever")
			}
			choices = append(choices, c.String())
		}
		text += fmt.Sprintf(" in %d: %s: %s", len(v.Schedule), v.Violation.Invariant, strings.Join(choices, ", "))
	case search.Stops:
		text += ": " + string(v.Stopped)
	}
	for _, s := range v.Sometimes {
		switch {
		case s.Name == search.Fails && s.Seen:
			text += fmt.Sprint("; ", s.Of, " fails: ", s.Failure.Error())
		case s.Name == search.Fails || s.Name == search.Expires || v.Ending != search.Holds:
		case !s.Seen:
			text += fmt.Sprint("; never ", s.Name, " ", s.Of)
		}
	}
	if len(v.Clocks) > 0 {
		text += "; dated"
	}
	return strings.TrimSpace(text)
}
