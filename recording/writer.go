package recording

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The limits of a lesson (lessons/decode).
const (
	mostActors  = 16
	mostBeats   = 200
	mostScripts = 32
	mostLua     = 16 << 10 // bytes of a program or a script
)

// mostClients is how many actors stand for clients that were attached: as many as have room for
// their names. Those of a test may crash or stand still, so each of them is an actor if it can be.
const mostClients = 9

// writer makes the parts of the lesson from one event after the other.
type writer struct {
	*Recording

	names   map[string]string // of actors and servers in the lesson
	actors  []*program
	scripts []File
	sources map[string]string // scripts by their SHA1s
	beats   []*beat
	now     time.Duration // where the story has come to,
	tick    *beat         // with its last move of the clock,
	before  time.Duration // which began here
	faults  []string
	inside  map[string][]*program // sections
	shared  []shared              // those of them that have been shared
	leftOut int                   // commands
	request *beat                 // the last one
	several bool                  // a request was more than one beat
}

// beat is one move of the story.
type beat struct {
	moves  []string
	say    words
	broken []string // the rules that the move breaks
}

func newWriter(r *Recording) *writer {
	w := &writer{Recording: r, names: map[string]string{}, sources: map[string]string{}, inside: map[string][]*program{}}
	if len(r.Servers) == 0 {
		r.Servers = []string{"redis"}
	}
	for _, s := range r.Servers {
		w.name(s)
	}
	enters, requests := map[string]int{}, map[string]int{}
	var order []string
	for _, e := range r.Events {
		if _, known := requests[e.Actor]; !known && e.Actor != "" {
			order = append(order, e.Actor)
		}
		requests[e.Actor] += len(e.Commands)
		if e.Kind == Enter {
			enters[e.Actor] = 1
		}
	}
	w.cast(order, enters, requests)
	return w
}

// cast gives each actor a program. When there are too many, those that entered nothing share one,
// and of these those that sent least.
func (w *writer) cast(order []string, enters, requests map[string]int) {
	own := slices.Clone(order)
	slices.SortStableFunc(own, func(a, b string) int {
		return cmp.Or(cmp.Compare(enters[b], enters[a]), cmp.Compare(requests[b], requests[a]))
	})
	room := mostActors
	if w.Test == "" {
		room = mostClients
	}
	if len(own) > room {
		own = own[:room-1]
	}
	shared := ""
	for _, actor := range order {
		switch {
		case slices.Contains(own, actor):
			w.actors = append(w.actors, &program{w: w, name: w.name(actor)})
		case shared == "":
			shared = w.name("others")
			w.actors = append(w.actors, &program{w: w, name: shared})
			w.names[actor] = shared
		default:
			w.names[actor] = shared
		}
	}
}

func (w *writer) actor(name string) *program {
	i := slices.IndexFunc(w.actors, func(p *program) bool { return p.name == w.names[name] })
	return w.actors[i]
}

// illegal is what the name of an actor cannot have.
var illegal = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// name is what something is called in the lesson, where names are short and begin with a letter.
func (w *writer) name(of string) string {
	const most = 36 // leaves room for a number
	name := strings.Trim(illegal.ReplaceAllString(of, "-"), "-")
	if !regexp.MustCompile(`^[A-Za-z]`).MatchString(name) {
		name = strings.TrimSuffix("client-"+name, "-")
	}
	name = name[:min(len(name), most)]
	free := name
	for n := 2; slices.Contains(slices.Collect(maps.Values(w.names)), free); n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	w.names[of] = free
	return free
}

// event adds what happened to the story and to the actor's program.
func (w *writer) event(e *Event) {
	if e.Kind == Restart {
		name := w.names[e.Server]
		w.allow("crash " + name)
		w.move(e.At, "crash "+name)
		w.move(e.At, "restart "+name)
		return
	}
	p := w.actor(e.Actor)
	switch e.Kind {
	case Request:
		p.request(e)
	case Answered:
		p.moved(e.At, w.move(e.At, "run "+p.name))
	case Enter, Leave:
		p.cross(e)
	case Mark:
		mark := w.Broken.mark()
		p.add("enter(" + quoted(mark) + ")")
		w.inside[mark] = append(w.inside[mark], p)
	case Pause:
		p.pause(e)
	case Resume:
		p.resume(e)
	case Crash:
		w.allow("crash " + p.name)
		w.move(e.At, "crash "+p.name)
		for section, in := range w.inside {
			w.inside[section] = slices.DeleteFunc(in, func(other *program) bool { return other == p })
		}
	case Restart:
	}
}

func (w *writer) allow(fault string) {
	if !slices.Contains(w.faults, fault) {
		w.faults = append(w.faults, fault)
	}
}

// until moves the clock.
func (w *writer) until(at time.Duration) {
	if at = at.Truncate(time.Millisecond); at > w.now {
		b := &beat{moves: []string{"tick " + (at - w.now).String()}}
		for _, p := range w.actors {
			if p.wakes > w.now && p.wakes <= at {
				p.beat = b
			}
		}
		w.beats = append(w.beats, b)
		w.tick, w.before, w.now = b, w.now, at
	}
}

// move adds a beat.
func (w *writer) move(at time.Duration, text string) *beat {
	w.until(at)
	b := &beat{moves: []string{text}}
	w.beats = append(w.beats, b)
	return b
}

// words are said in both languages, as Markdown.
type words struct{ en, zh string }

// The words of a lesson that was recorded.
var (
	titleOfClients   = words{"Recorded clients", "录制的客户端"}
	summaryOfClients = words{
		"What real clients sent to playground attach, as it was recorded: the programs send what was sent.",
		"真实客户端发给 playground attach 的内容，按录制的原样：程序发送的就是当时发送的内容。",
	}
	summaryOfTest = words{
		"A schedule of this test that breaks an invariant, as it was recorded: the programs send what was sent.",
		"这个测试中打破不变量的一个调度，按录制的原样：程序发送的就是当时发送的内容。",
	}
	sayLost = words{
		"The server does it, and the connection breaks before the reply is there.",
		"服务器执行了请求，但连接在回复到达之前就断了。",
	}
	sayMixed  = words{"Somebody reads while somebody else writes.", "有人在写的时候，还有人在读。"}
	sayUnseen = words{"It is paused before it sees the reply.", "它在看到回复之前被暂停了。"}
)

// heading is the title and the summary of the lesson.
func (w *writer) heading() (title, summary words) {
	title, summary = titleOfClients, summaryOfClients
	if w.Test != "" {
		title, summary = words{w.Test, w.Test}, summaryOfTest
	}
	if w.leftOut > 0 {
		summary.en += fmt.Sprintf(" Left out are commands: %d.", w.leftOut)
		summary.zh += fmt.Sprintf("有 %d 条命令未收录。", w.leftOut)
	}
	return title, summary
}
