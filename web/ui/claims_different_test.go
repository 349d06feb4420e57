package ui_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/sample"
	"lockstep/web/ui"
)

// branchOf is another random run of a lesson, which has a random part of the first in common.
func branchOf(t *testing.T, l *lessons.Lesson, of *engine.Trace, seed uint64) (*engine.Trace, int) {
	t.Helper()
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(t.Context(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	choices := sample.Choices(of)
	same := rand.New(rand.NewPCG(seed, 2)).IntN(len(choices) + 1)
	for _, c := range choices[:same] {
		if _, err := w.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if err := sample.RandomRun(t.Context(), w, seed+1, sample.LessonScheduleLength-same); err != nil {
		t.Fatal(err)
	}
	return w.Trace(), same
}

// compared is the view of a timeline beside another one.
func compared(v ui.View, beside *engine.Trace, same int) ui.View {
	v.Compared = &ui.Compared{Branch: 1, Engine: ui.EngineState{Kind: ui.Embedded}, Trace: beside, Same: same}
	return v
}

// differences checks "What is different": what is listed differs, as it says, and what differs is listed.
func (p *shown) differences(beside *engine.Trace) {
	here, there := p.now(), beside.At(min(p.pos, len(beside.Steps)))
	listed := map[string]bool{}
	for _, table := range pieces(p.html["f-beside"], `<table class="beside-keys">`, "</table>") {
		for _, row := range pieces(table, "<tr><th", "</tr>") {
			what, sides := words("<th"+row[:strings.Index(row, "</th>")]), pieces(row, "<td>", "</td>")
			what = cmp.Or(inEnglish[what], what)
			if node, key, is := strings.Cut(what, " 上的 "); is && p.lang == lessons.Zh {
				what = key + " on " + node
			}
			if len(sides) != 2 || listed[what] {
				p.wrong("the row of %q has %d sides, or is there twice", what, len(sides))
				continue
			}
			listed[what] = true
			p.counts["different: a row"]++
			a, b := words(sides[0]), words(sides[1])
			is := p.different(what, here, there)
			switch {
			case !is:
				p.miss("different: listed, and the same", "%q: %q and %q are the same", what, a, b)
			case !p.tells(what, here, a) || !p.tells(what, there, b):
				p.miss("different: not as it is told", "%q: %q and %q", what, a, b)
			}
		}
	}
	more := strings.Contains(p.html["f-beside"], `class="beside-more"`)
	for _, what := range comparable(here, there) {
		if p.different(what, here, there) && !listed[what] && !more {
			p.miss("different: not listed", "%q differs after step %d and is not listed beside %s", what, p.pos, choicesOf(beside))
		}
	}
}

func (p *shown) miss(kind, format string, args ...any) {
	p.t.Helper()
	p.counts["wrong: "+kind]++
	p.wrong(kind+": "+format, args...)
}

// What two worlds are compared in besides actors and keys; a page in Chinese has other words for them.
const (
	theClock  = "Virtual clock"
	theInside = "Inside critical sections"
)

var inEnglish = map[string]string{"虚拟时钟": theClock, "临界区内": theInside}

// comparable is what two worlds are compared in, as the page names it.
func comparable(here, there *engine.Snapshot) []string {
	all := map[string]bool{theClock: true, theInside: true}
	for _, s := range []*engine.Snapshot{here, there} {
		for _, a := range s.Actors {
			all[a.Name] = true
		}
		for _, n := range s.Nodes {
			for _, k := range n.Keys {
				all[keyOn(s, n.Node, k.Name)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// keyOn names a key, and where there are several servers its own.
func keyOn(s *engine.Snapshot, node, key string) string {
	if len(s.Nodes) > 1 {
		return inOneLine(key) + " on " + node
	}
	return inOneLine(key)
}

// different tells whether two worlds differ in something.
func (p *shown) different(what string, here, there *engine.Snapshot) bool {
	switch what {
	case theClock:
		return here.Now != there.Now
	case theInside:
		return !reflect.DeepEqual(whoIsInside(here), whoIsInside(there))
	}
	a, isActor := here.Actor(what)
	b, isActorThere := there.Actor(what)
	if isActor || isActorThere {
		return isActor != isActorThere || standsAt(a) != standsAt(b)
	}
	k, is := keyCalled(here, what)
	o, isThere := keyCalled(there, what)
	k.Deadline, o.Deadline = left(here, k), left(there, o)
	return is != isThere || !k.Equal(o)
}

// standing is what an actor is doing, until when, and what it asks for.
type standing struct {
	status   engine.Status
	until    engine.Instant
	answered bool
	asks     string
	bound    time.Duration // of a wait or a sleep that a paused actor asks for
}

func standsAt(a engine.ActorState) standing {
	s := standing{status: a.Status, until: a.Until, answered: a.Answered, asks: asked(a.Next)}
	switch a.Status {
	case engine.Crashed, engine.Finished, engine.Failed:
		return standing{status: a.Status}
	case engine.Paused:
		s.until = 0
		switch r := a.Next.(type) {
		case engine.Receive:
			s.bound = r.Timeout
		case engine.Sleep:
			s.bound = r.For
		}
	case engine.Ready:
		s.until = 0
	case engine.Sleeping, engine.Waiting, engine.Blocked, engine.Unanswered:
	}
	return s
}

// asked is a request, without the servers that it is addressed to and the stamps of its script.
func asked(r engine.Request) string {
	switch r := r.(type) {
	case engine.Exec:
		name := ""
		if r.Op.Script != nil {
			name = r.Op.Script.Name
		}
		return strings.Join(slices.Concat([]string{r.Node, r.Op.Shared, name}, r.Op.Keys, r.Op.Args), "\x00")
	case engine.Subscribe:
		return "subscribe " + r.Channel
	case engine.Unsubscribe:
		return "unsubscribe " + r.Channel
	case engine.Receive:
		return "receive " + r.Channel
	case engine.AwaitReplicas:
		return fmt.Sprint("await ", r.Node, r.Replicas, r.Timeout)
	case engine.Sleep:
		return "sleep " + strconv.FormatBool(r.Label == "")
	case engine.Await:
		return "await " + r.Name
	case nil:
		return ""
	}
	return ""
}

// left is how long a key still lives.
func left(s *engine.Snapshot, k engine.Key) engine.Instant {
	if k.Name == "" || k.Deadline == engine.NoDeadline {
		return engine.NoDeadline
	}
	return k.Deadline - s.Now
}

func keyCalled(s *engine.Snapshot, what string) (engine.Key, bool) {
	for _, n := range s.Nodes {
		for _, k := range n.Keys {
			if keyOn(s, n.Node, k.Name) == what {
				return k, true
			}
		}
	}
	return engine.Key{}, false
}

func whoIsInside(s *engine.Snapshot) map[string][]string {
	all := map[string][]string{}
	for _, a := range s.Actors {
		for _, section := range a.Inside {
			if !slices.Contains(all[section], a.Name) {
				all[section] = append(all[section], a.Name)
			}
		}
	}
	return all
}

// tells tells whether a text says of something how it is in a world.
func (p *shown) tells(what string, s *engine.Snapshot, text string) bool {
	if what == theClock {
		return says(strings.TrimPrefix(strings.TrimPrefix(text, "t "), "= "), s.Now)
	}
	if what == theInside {
		var all []string
		inside := whoIsInside(s)
		for _, section := range slices.Sorted(maps.Keys(inside)) {
			all = append(all, section+": "+strings.Join(inside[section], ", "))
		}
		text = strings.NewReplacer("：", ": ", "，", ", ", "、", ", ").Replace(text)
		return text == strings.Join(all, ", ") || len(all) == 0 && (text == "Nobody is inside a critical section." || text == "没有客户端在临界区内。")
	}
	if a, is := s.Actor(what); is {
		return doing(s, a, text)
	}
	k, is := keyCalled(s, what)
	if !is {
		return text == "not there" || text == "不存在"
	}
	if k.Items == nil && k.Pending.Items != nil { // nobody else sees it
		row := (&engine.Key{Type: engine.RowKey, Items: k.Pending.Items}).Value()
		by, said, is := strings.Cut(strings.Replace(text, " 已插入，未提交：", " has inserted, uncommitted: ", 1), " has inserted, uncommitted: ")
		return is && by == k.Pending.By && said == strings.TrimPrefix(inOneLine(row), "row ")
	}
	comma := separators[p.lang].part
	value, ttl, has := cutLast(text, comma+"TTL ")
	if k.Deadline == engine.NoDeadline {
		return text == inOneLine(k.Value()) || strings.HasPrefix(text, inOneLine(k.Value())+comma) && k.Pending.By != "" && strings.Contains(text, k.Pending.By)
	}
	return has && value == inOneLine(k.Value()) && says(ttl, k.Deadline-s.Now)
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// doing tells whether a text says what an actor is doing, in either language.
func doing(s *engine.Snapshot, a engine.ActorState, text string) bool {
	cut := func(text, en, zh string) (before, after string, found bool) {
		if before, after, found = strings.Cut(text, en); found {
			return before, after, true
		}
		return strings.Cut(text, zh)
	}
	state, next, does := cut(text, ", next: ", "，下一步：")
	if node := " → " + engine.NodeOf(a.Next); len(s.Nodes) > 1 {
		next = strings.TrimSuffix(next, node)
	}
	taken, takes := strings.CutPrefix(next, "take the reply to ")
	if reply, is := strings.CutSuffix(next, " 的返回"); is {
		taken, takes = strings.CutPrefix(reply, "接收 ")
	}
	if takes && (!a.Answered || !asks(a.Next, taken)) || !takes && does && a.Answered {
		return false
	}
	until := func(en, zh string) bool {
		_, at, is := cut(state, en+" until t ", zh+"到 t ")
		return is && says(strings.TrimPrefix(at, "= "), a.Until)
	}
	switch a.Status {
	case engine.Ready:
		return (state == "ready" || state == "就绪") && does
	case engine.Sleeping:
		return until("sleeps", "休眠") || until("works", "工作")
	case engine.Waiting:
		state, what, _ := cut(state, ": ", "：")
		if r, receives := a.Next.(engine.Receive); receives && !slices.Contains([]string{"a message on " + r.Channel, "an event of " + r.Channel, r.Channel + " 上的消息", r.Channel + " 的事件"}, what) {
			return false
		}
		if task, awaits := a.Next.(engine.Await); awaits {
			return (state == "waiting" || state == "正在等待") && (what == "wait for the task "+task.Name || what == "等待任务 "+task.Name)
		}
		_, at, bound := cut(state, "waits until t ", "等待到 t ")
		return bound && says(strings.TrimPrefix(at, "= "), a.Until) ||
			a.Until == engine.NoDeadline && slices.Contains([]string{"waits for a message", "waits for an event", "正在等待消息", "正在等待事件"}, state)
	case engine.Blocked, engine.Unanswered:
		state, _, _ := cut(state, ": ", "：")
		_, at, bound := cut(state, ", until t ", "，到 t ")
		return state != "" && state != "ready" && state != "就绪" && bound == (a.Until != engine.NoDeadline) && (!bound || says(strings.TrimPrefix(at, "= "), a.Until))
	case engine.Paused, engine.Crashed, engine.Finished, engine.Failed:
		_, isNode := s.Node(a.Process)
		return state != "" && state != "ready" && state != "就绪" && !isNode
	}
	return false
}
