package engine

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what testdata expects")

// TestScenarios plays each file of testdata. A file is a cast and commands, each
// command with what came of it below:
//
//	actor A p1: SET lock A 10s; enter lock; sleep 5s; leave lock
//	actor B p2: subscribe c; receive c 5s; want lock; spawn dog
//	task dog: sleep 1s; repeat
//	nodes: n1:1:2s n2<n1        servers; n2 is a replica of n1, which takes writes while it has heard one within 2 s.
//	                            Without it there is one, redis
//	faults: crash p1, drop p2
//	rules: mutual-exclusion
//
//	> start                     the cast begins, on an empty server
//	> run A, tick 5s, run B     choices, as a lesson writes them
//	> options                   what may happen next, and why not
//	> state                     the actors, the sections and the mail
//	> json                      the steps so far, as JSON
//
// A request is a command in capitals (now+5s is a stamp) or a word of a client
// program; n2/ before it names its node, which is the first otherwise, and leader/ who leads that. tell says what
// came of the last one, and repeat starts the program again. A cast after commands is
// another one. A ? marks a step after which a rule of the cast could be false.
// go test ./engine -update writes what comes of the commands: read the difference.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, file, playScenarios(t, string(text)))
		})
	}
}

// golden compares a text with a file of testdata, or writes it there.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test ./engine -update rewrites it):\n%s", path, diff)
	}
}

// stage is where a scenario of a file is played.
type stage struct {
	*testing.T
	cast  Scenario
	tasks map[string]string
	rules []OwnRule
	world *World
}

// playScenarios is a file with what comes of its commands now.
func playScenarios(t *testing.T, text string) string {
	s := &stage{T: t}
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		command, isCommand := strings.CutPrefix(line, "> ")
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case isCommand:
			out.WriteString(line + "\n" + s.do(command))
		case line == "" || word == "#":
			out.WriteString(line + "\n")
		case word == "actor" || word == "task" || word == "faults:" || word == "rules:" || word == "nodes:":
			out.WriteString(line + "\n")
			s.declare(word, rest)
		}
	}
	return out.String()
}

func (s *stage) declare(word, rest string) {
	if s.world != nil || s.tasks == nil {
		s.world, s.tasks = nil, map[string]string{}
		s.rules = nil
		s.cast = Scenario{Nodes: []NodeSpec{{Name: "redis", Node: &fakeNode{}}}, Resolution: 100 * time.Millisecond}
	}
	name, program, _ := strings.Cut(rest, ":")
	switch word {
	case "actor":
		name, process, _ := strings.Cut(name, " ")
		s.cast.Actors = append(s.cast.Actors, ActorSpec{Name: name, Process: process, New: func() Actor { return s.program(program) }})
	case "nodes:":
		s.cast.Nodes = nil
		for node := range strings.FieldsSeq(rest) {
			name, leader, _ := strings.Cut(node, "<")
			name, hears, _ := strings.Cut(name, ":")
			s.cast.Nodes = append(s.cast.Nodes, NodeSpec{Name: name, Node: &fakeNode{}, ReplicaOf: leader, Min: s.minReplicas(hears)})
		}
	case "task":
		s.tasks[name] = program
	case "faults:":
		s.cast.Faults = choices(s.T, rest)
	case "rules:":
		for name := range strings.FieldsSeq(rest) {
			rule, known := Rule(name)
			if !known {
				s.Fatalf("there is no rule %q", name)
			}
			s.rules = append(s.rules, rule)
			s.cast.Invariants = append(s.cast.Invariants, rule)
		}
	}
}

// minReplicas is how many replicas a node must hear to take writes, and how long a silent one counts: "1:2s".
func (s *stage) minReplicas(text string) MinReplicas {
	if text == "" {
		return MinReplicas{}
	}
	var m MinReplicas
	var lag string
	if _, err := fmt.Sscanf(text, "%d:%s", &m.ToWrite, &lag); err != nil {
		s.Fatal(err)
	}
	var err error
	if m.MaxLag, err = ParseSpan(lag); err != nil {
		s.Fatal(err)
	}
	return m
}

// do carries out a command and tells what came of it. What the engine refuses is
// told, too.
func (s *stage) do(command string) string {
	switch command {
	case "start":
		world, err := NewWorld(s.Context(), s.cast)
		if err != nil {
			s.Fatal(err)
		}
		s.world = world
		return world.Trace().String()
	case "options":
		var b strings.Builder
		for _, o := range s.world.Enabled() {
			fmt.Fprintln(&b, strings.TrimSuffix(o.Choice.String()+": "+o.Reason.Error(), ": "))
		}
		return b.String()
	case "state":
		return stateText(s.world.Snapshot())
	case "json":
		return s.stepsAsJSON()
	}
	var b strings.Builder
	for _, c := range choices(s.T, command) {
		before := s.world.Snapshot()
		step, err := s.world.Apply(s.Context(), c)
		if err != nil {
			fmt.Fprintln(&b, "error:", err)
			continue
		}
		b.WriteString(step.String())
		for _, rule := range s.rules {
			if rule.Could(before, &step) {
				fmt.Fprintln(&b, detail+"?", rule.Name())
			}
		}
	}
	return b.String()
}

func (s *stage) stepsAsJSON() string {
	var b strings.Builder
	for _, step := range s.world.Trace().Steps {
		text, err := json.Marshal(step)
		if err != nil {
			s.Fatal(err)
		}
		fmt.Fprintln(&b, string(text))
	}
	return b.String()
}

func choices(t *testing.T, text string) []Choice {
	t.Helper()
	var cs []Choice
	for part := range strings.SplitSeq(text, ", ") {
		c, err := ParseChoice(part)
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return cs
}

// program is an actor with the requests of a text.
func (s *stage) program(text string) Actor {
	var requests []Request
	for part := range strings.SplitSeq(strings.TrimSpace(text), ";") {
		switch part = strings.TrimSpace(part); part {
		case "":
		case "repeat":
			return &script{requests: requests, repeated: requests}
		default:
			requests = append(requests, s.request(part))
		}
	}
	return &script{requests: requests}
}

func (s *stage) request(text string) Request {
	node := s.cast.Nodes[0].Name
	leads := strings.HasPrefix(text, "leader/")
	if named, request, found := strings.Cut(text, "/"); found {
		node, text = named, request
	}
	if leads {
		node = s.cast.Nodes[0].Name
	}
	word, rest, _ := strings.Cut(text, " ")
	name, span, _ := strings.Cut(rest, " ")
	switch word {
	case "subscribe":
		return Subscribe{node, rest}
	case "unsubscribe":
		return Unsubscribe{node, rest}
	case "receive":
		span, forAll, _ := strings.Cut(span, " or for all ")
		return Receive{node, name, s.span(span), forAll}
	case "replicas":
		n, err := strconv.Atoi(name)
		if err != nil {
			s.Fatal(err)
		}
		return AwaitReplicas{Node: node, ToLeader: leads, Replicas: n, Timeout: s.span(span)}
	case "sleep":
		return Sleep{For: s.span(name), Label: span}
	case "enter":
		return Enter{rest}
	case "leave":
		return Leave{rest}
	case "refused":
		return Refused{rest}
	case "want":
		return Want{rest}
	case "unwant":
		return Unwant{rest}
	case "tell":
		return tell
	case "say":
		return Say{rest}
	case "spawn":
		return Spawn{rest, s.program(s.tasks[rest])}
	case "cancel":
		return Cancel{rest}
	case "await":
		return Await{rest}
	case "remember":
		return Remember{name, span}
	case "recall":
		return Recall{rest}
	}
	if word != strings.ToUpper(word) {
		s.Fatalf("%q is not a request", text)
	}
	exec := Exec{Node: node, ToLeader: leads, Op: Op{Args: strings.Fields(text)}}
	for i, arg := range exec.Op.Args {
		if offset, stamped := strings.CutPrefix(arg, "now+"); stamped {
			exec.Stamps = append(exec.Stamps, Stamp{Arg: i, Offset: s.span(offset)})
		}
	}
	return exec
}

// span is below zero when there is none.
func (s *stage) span(text string) time.Duration {
	if text == "" {
		return -1
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		s.Fatal(err)
	}
	return d
}

// stateText is what a snapshot says of actors, sections and messages.
func stateText(s *Snapshot) string {
	var b strings.Builder
	for _, a := range s.Actors {
		text := a.Name + " " + string(a.Status)
		if a.Answered {
			text += ", answered"
		}
		if next := pending(a.Next); next != "" || a.Next == nil {
			text += next
		} else {
			text += fmt.Sprintf(", next: %T", a.Next)
		}
		if len(a.Wants) > 0 {
			text += ", wants " + strings.Join(a.Wants, " and ")
		}
		fmt.Fprintln(&b, text)
	}
	for _, h := range s.Held {
		fmt.Fprintln(&b, h.Section, "holds", strings.Join(h.Actors, ", "))
	}
	for _, h := range s.Wanted {
		fmt.Fprintln(&b, h.Section, "is wanted by", strings.Join(h.Actors, ", "))
	}
	for _, n := range s.Nodes {
		for _, l := range n.Subscriptions {
			fmt.Fprintln(&b, l.Process, "listens to", keyName(n.Node, l.Channel, s))
		}
		if n.Status != "" || n.Clock != 0 || n.Leader != "" {
			fmt.Fprintln(&b, n.Node, n.Status, n.Clock, n.Leader, len(n.Queue))
		}
	}
	for _, d := range s.Mail {
		fmt.Fprintln(&b, d.Process, "has the message", Word(d.Payload), "on", keyName(d.Node, d.Channel, s))
	}
	return b.String()
}
