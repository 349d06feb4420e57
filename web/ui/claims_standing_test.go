package ui_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// standingForms are the sentences under "How things stand".
var standingForms = []sentence{
	{"nobody is inside", inOrder(`Nobody is inside a critical section\.`, `没有客户端在临界区内。`), func(p *shown, _ []string) string {
		for _, a := range p.now().Actors {
			if len(a.Inside) > 0 {
				return a.Name + " is"
			}
		}
		return ""
	}},
	{"inside, and a key that ends", inOrder(`<A> is inside <S>\. Its key expires in <T>\.`, `<A> 在 <S> 里，它的 key 还剩 <T>。`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" {
			return wrong
		}
		return p.leased(m[1], m[2], func(k engine.Key) bool {
			return k.Deadline != engine.NoDeadline && says(m[3], k.Deadline-p.now().Now)
		})
	}},
	{"inside, and a key without a TTL", inOrder(`<A> is inside <S>, with a key that never expires\.`, `<A> 在 <S> 里，它的 key 没有过期时间。`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" {
			return wrong
		}
		return p.leased(m[1], m[2], func(k engine.Key) bool { return k.Deadline == engine.NoDeadline && k.Type != engine.ZnodeKey })
	}},
	{"inside, and the key is gone", inOrder(`<A> is inside <S>, and the key (\S+) is gone\.`, `<A> 在 <S> 里，但 key (\S+) 已经没有了。`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" || m[2] != m[3] {
			return wrong + " or another key"
		}
		return p.gone(m[1], m[2])
	}},
	{"inside, and the key is not its own", inOrder(`<A> is inside <S>, and the key (\S+) is not its own any more\.`, `<A> 在 <S> 里，但 key (\S+) 已经不是它的了。`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" || m[2] != m[3] {
			return wrong + " or another key"
		}
		return p.taken(m[1], m[2])
	}},
	{"inside", inOrder(`<A> is inside <S>\.`, `<A> 在 <S> 里。`), func(p *shown, m []string) string { return p.inside(m[1], m[2]) }},
	{"crashed", inOrder(`<A> is gone: (\S+) has crashed\.`, `<A> 已经不在了：(\S+) 已崩溃。`), func(p *shown, m []string) string { return p.is(m[1], m[2], engine.Crashed) }},
	{"paused", inOrder(`<A>: (\S+) is paused and stands still\.`, `<A>：(\S+) 已暂停，停住不动。`), func(p *shown, m []string) string { return p.is(m[1], m[2], engine.Paused) }},
	{"paused, and the time of the key runs on", inOrder(`<A>: (\S+) is paused and stands still, and the time of its key runs on\.`, `<A>：(\S+) 已暂停，停住不动，而它的 key 照样在倒计时。`), func(p *shown, m []string) string {
		return p.pausedInside(m[1], m[2], func(section string) string {
			return p.leased(m[1], section, func(k engine.Key) bool { return k.Deadline != engine.NoDeadline })
		})
	}},
	{"paused, and the lease is over", inOrder(`<A>: (\S+) is paused and stands still, and its lease is over\.`, `<A>：(\S+) 已暂停，停住不动，而租期已经结束。`), func(p *shown, m []string) string {
		return p.pausedInside(m[1], m[2], func(section string) string {
			if wrong := p.gone(m[1], section); wrong == "" {
				return ""
			}
			return p.taken(m[1], section)
		})
	}},
	{"waits at a server", inOrder(`<A>: its request waits in (\S+?)(?:, because of (.+))?\.`, `<A>：请求正在 (\S+) 中等待(?:，受阻于 (.+))?。`), func(p *shown, m []string) string {
		a := p.heldUp(m[1], engine.Blocked)
		if a == nil || engine.NodeOf(a.Next) != m[2] {
			return "it does not"
		}
		n, _ := p.now().Node(m[2])
		var by []string
		for _, w := range n.Waits {
			if w.Actor == m[1] {
				by = append(by, w.By...)
			}
		}
		if strings.Join(by, separators[p.lang].names) != m[3] {
			return fmt.Sprintf("because of %v", by)
		}
		return ""
	}},
	{"waits for a reply", inOrder(`<A>: it waits for a reply from (\S+) until t (?:= )?<T>\.`, `<A>：正在等待 (\S+) 的返回，最晚到 t (?:= )?<T>。`), func(p *shown, m []string) string {
		if a := p.heldUp(m[1], engine.Unanswered); a == nil || engine.NodeOf(a.Next) != m[2] || !says(m[3], a.Until) {
			return "it does not"
		}
		return ""
	}},
	{"waits until", inOrder(`<A>: waits until t (?:= )?<T>\.`, `<A>：等待到 t (?:= )?<T>。`), func(p *shown, m []string) string {
		if a := p.heldUp(m[1], engine.Waiting); a == nil || !says(m[2], a.Until) {
			return "it does not"
		}
		return ""
	}},
	{"waits for a message", inOrder(`<A>: waits for an? (?:message|event)\.`, `<A>：正在等待(?:消息|事件)。`), func(p *shown, m []string) string {
		a := p.heldUp(m[1], engine.Waiting)
		if a == nil || a.Until != engine.NoDeadline {
			return "it does not"
		}
		if _, receives := a.Next.(engine.Receive); !receives {
			return "it is none for which it waits"
		}
		return ""
	}},
	{"wants, and waits until", inOrder(`<A> wants <S> and waits, at most until t (?:= )?<T>\.`, `<A> 想要 <S>，正在等待，最晚等到 t (?:= )?<T>。`), func(p *shown, m []string) string {
		a := p.wants(m[1], m[2])
		if a == nil {
			return "it does not"
		}
		if a.Status != engine.Waiting && a.Status != engine.Unanswered && a.Status != engine.Blocked {
			return "it is " + string(a.Status)
		}
		if a.Until == engine.NoDeadline || !says(m[3], a.Until) {
			return "that is not the end of it"
		}
		return ""
	}},
	{"wants, and sleeps until", inOrder(`<A> wants <S> and sleeps until t (?:= )?<T>\.`, `<A> 想要 <S>，休眠到 t (?:= )?<T>。`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Sleeping || !says(m[3], a.Until) {
			return "it does not"
		}
		return ""
	}},
	{"wants, and waits to be woken", inOrder(`<A> wants <S> and waits to be woken\.`, `<A> 想要 <S>，正在等待唤醒。`), func(p *shown, m []string) string {
		a := p.wants(m[1], m[2])
		if a == nil || a.Until != engine.NoDeadline || a.Status != engine.Waiting && a.Status != engine.Blocked && a.Status != engine.Unanswered {
			return "it does not"
		}
		for _, n := range p.now().Nodes {
			for _, w := range n.Waits {
				if w.Actor == m[1] && w.Until != engine.NoDeadline {
					return "its request ends by itself"
				}
			}
		}
		return ""
	}},
	{"wants, and takes next", inOrder(`<A> wants <S>\. What it does next: take the reply to (.+)\.`, `<A> 想要 <S>，它的下一步是：接收 (.+) 的返回。`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Ready || !a.Answered || !asks(a.Next, m[3]) {
			return "it does not"
		}
		return ""
	}},
	{"wants, and does next", inOrder(`<A> wants <S>\. What it does next: (.+)\.`, `<A> 想要 <S>，它的下一步是：(.+)。`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Ready || a.Answered || !asks(a.Next, m[3]) {
			return "it does not"
		}
		return ""
	}},
}

// inOrder are one sentence in both languages, whose parts have one order: A is a name, S a section, and T a span of time.
func inOrder(en, zh string) forms {
	all := forms{}
	for lang, text := range map[lessons.Lang]string{lessons.En: en, lessons.Zh: zh} {
		text = strings.NewReplacer("<A>", `(\S+?)`, "<S>", `(\S+?)`, "<T>", `(.+?)`).Replace(text)
		all[lang] = regexp.MustCompile("^" + text + "$")
	}
	return all
}

// standing checks all that stands under "How things stand".
func (p *shown) standing() {
	lists := pieces(p.html["f-story"], `<ul class="remarks">`, "</ul>")
	if len(lists) != 1 {
		p.wrong("there are %d lists of remarks", len(lists))
	}
	var said []string
	for _, list := range lists {
		for _, item := range pieces(list, "<li>", "</li>") {
			said = append(said, words(item))
			p.hold(standingForms, words(item))
		}
	}
	for _, a := range p.now().Actors {
		isTold := slices.ContainsFunc(said, func(text string) bool {
			return strings.HasPrefix(text, a.Name+" ") || strings.HasPrefix(text, a.Name+":") || strings.HasPrefix(text, a.Name+"：")
		})
		if stands := a.Status == engine.Blocked || a.Status == engine.Paused || a.Status == engine.Crashed; stands && !a.Task && !isTold && len(said) < mostStanding {
			p.miss("who cannot go on", "nothing is said of %s, which is %s", a.Name, a.Status)
		}
	}
}

// mostStanding is how many sentences the page has room for.
const mostStanding = 6

// inside says what is wrong when an actor is said to be inside a section.
func (p *shown) inside(name, section string) string {
	if a, ok := p.now().Actor(name); !ok || !slices.Contains(a.Inside, section) {
		return name + " is not inside"
	}
	return ""
}

func (p *shown) is(name, process string, status engine.Status) string {
	if a, ok := p.now().Actor(name); !ok || a.Status != status || a.Process != process {
		return name + " is " + string(a.Status) + " in " + a.Process
	}
	return ""
}

func (p *shown) pausedInside(name, process string, of func(section string) string) string {
	if wrong := p.is(name, process, engine.Paused); wrong != "" {
		return wrong
	}
	a, _ := p.now().Actor(name)
	if len(a.Inside) == 0 {
		return "it is inside of nothing that a lease could be for"
	}
	for _, section := range a.Inside {
		if wrong := of(section); wrong != "" {
			return section + ": " + wrong
		}
	}
	return ""
}

// heldUp is an actor of a status that wants no section; nil: it is another one's.
func (p *shown) heldUp(name string, status engine.Status) *engine.ActorState {
	if a, _ := p.now().Actor(name); a.Status == status && len(a.Wants) == 0 && !a.Task {
		return &a
	}
	return nil
}

func (p *shown) wants(name, section string) *engine.ActorState {
	for _, a := range p.now().Actors {
		if a.Name == name && slices.Contains(a.Wants, section) {
			return &a
		}
	}
	return nil
}

// entered is the step in which an actor got into a section the last time.
func (p *shown) entered(name, section string) int {
	for n := p.pos; n > 0; n-- {
		for _, note := range p.trace.Steps[n-1].Notes {
			if note.Kind == engine.NoteEnter && note.Actor == name && note.Text == section {
				return n
			}
		}
	}
	return 0
}

// names tells whether a key has an actor's name as its text, or as that of a field or member: A, or uuid:A.
func names(k engine.Key, actor string) bool {
	texts := []string{k.Text}
	for _, it := range k.Items {
		if k.Type == engine.HashKey || k.Type == engine.SetKey || k.Type == engine.ZSetKey {
			texts = append(texts, it.Name)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool { return text[strings.LastIndexByte(text, ':')+1:] == actor })
}

// guards are the keys that have a section's name, by the servers that take writes.
func guards(s *engine.Snapshot, section string) map[string]engine.Key {
	found := map[string]engine.Key{}
	for _, n := range s.Nodes {
		for _, k := range n.Keys {
			if k.Name == section && n.Leader == "" {
				found[n.Node] = k
			}
		}
	}
	return found
}

// unwell is a server that does not answer: what it has says nothing.
func unwell(s *engine.Snapshot) string {
	for _, n := range s.Nodes {
		if n.Status != "" && n.Leader == "" {
			return n.Node + " is " + string(n.Status)
		}
	}
	return ""
}

// leased says what is wrong when a key is said to be an actor's, as of: on each server, and on each on which it
// was its own when it got in.
func (p *shown) leased(name, section string, of func(engine.Key) bool) string {
	s := p.now()
	now := guards(s, section)
	if len(now) == 0 {
		return "there is no key " + section
	}
	for node, k := range now {
		if !names(k, name) || !of(k) {
			return "on " + node + " it is " + k.Value() + " until " + k.Deadline.String()
		}
	}
	for n := max(p.entered(name, section), 1); n <= p.pos; n++ {
		if n := len(p.itsGuards(n, name, section)); n > len(now) {
			return fmt.Sprintf("it was on %d servers and is on %d", n, len(now))
		}
	}
	return unwell(s)
}

// itsGuards are the servers on which a section's key named an actor after a step.
func (p *shown) itsGuards(step int, name, section string) []string {
	var servers []string
	for node, k := range guards(p.trace.At(step), section) {
		if names(k, name) {
			servers = append(servers, node)
		}
	}
	return servers
}

// was says what is wrong when a key is said to have been an actor's while it was inside.
func (p *shown) was(name, section string) string {
	for n := max(p.entered(name, section), 1); n <= p.pos; n++ {
		if len(p.itsGuards(n, name, section)) > 0 {
			return unwell(p.now())
		}
	}
	return "the key has not been its own since it got in"
}

// gone says what is wrong when an actor's key is said to be there no more.
func (p *shown) gone(name, section string) string {
	for node, k := range guards(p.now(), section) {
		return "on " + node + " there is " + k.Value()
	}
	for _, n := range p.now().Nodes {
		for _, h := range n.Holds {
			if h.Key == section && engine.Root(h.Actor) == engine.Root(name) && !h.Waits {
				return "it has a lock on " + h.Key
			}
		}
	}
	return p.was(name, section)
}

// taken says what is wrong when an actor's key is said to be another's.
func (p *shown) taken(name, section string) string {
	now := guards(p.now(), section)
	if len(now) == 0 {
		return "there is no key " + section
	}
	for node, k := range now {
		others := slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool { return a.Name != name && names(k, a.Name) })
		if names(k, name) || !others {
			return "on " + node + " it is " + k.Value()
		}
	}
	return p.was(name, section)
}

// asks tells whether a text is a request, in either language: a script by its name, a command as it is typed, as far as the text goes.
func asks(r engine.Request, text string) bool {
	text, clipped := strings.CutSuffix(text, "…")
	is := func(whole string) bool { return text == whole || clipped && strings.HasPrefix(whole, text) }
	switch r := r.(type) {
	case engine.Exec:
		return asksNode(r.Op, strings.ReplaceAll(strings.TrimPrefix(text, "ASKING "), `"`, ""), is)
	case engine.Subscribe:
		return is("SUBSCRIBE " + r.Channel)
	case engine.Unsubscribe:
		return is("UNSUBSCRIBE " + r.Channel)
	case engine.AwaitReplicas:
		return strings.HasPrefix(text, "WAIT "+strconv.Itoa(r.Replicas)+" ")
	case engine.Receive:
		for _, f := range awaits {
			m := f.FindStringSubmatch(text)
			if m != nil && m[1] == r.Channel {
				bound := m[len(m)-1]
				return len(m) == 2 || clipped || (bound != "") == (r.Timeout >= 0) && (bound == "" || says(bound, r.Timeout))
			}
		}
		return false
	case engine.Sleep:
		words := []string{"sleep ", "休眠 "}
		if r.Label != "" {
			words = []string{"work for ", "工作 "}
		}
		return slices.ContainsFunc(words, func(word string) bool {
			span, found := strings.CutPrefix(text, word)
			return found && says(span, r.For)
		})
	case engine.Await:
		return is("wait for the task "+r.Name) || is("等待任务 "+r.Name)
	}
	return false
}

// awaits are the forms of a wait for a message or an event, in both languages; the last two are of one that is there.
var awaits = []*regexp.Regexp{
	regexp.MustCompile(`^wait for an? (?:message on|event of) (\S+?)(?:, at most (.*))?$`),
	regexp.MustCompile(`^等待 (\S+) (?:上的消息|的事件)(?:，最多 (.*))?$`),
	regexp.MustCompile(`^take the (?:message on|event of) (\S+)$`),
	regexp.MustCompile(`^接收 (\S+) (?:上的消息|的事件)$`),
}

func asksNode(op engine.Op, text string, is func(string) bool) bool {
	switch on := op.Shared + ": "; {
	case op.Shared != "":
		op.Shared = ""
		return strings.HasPrefix(text, on) && asksNode(op, strings.TrimPrefix(text, on), func(whole string) bool { return is(on + whole) })
	case op.Script != nil:
		operands := strings.ReplaceAll(strings.Join(op.Keys, ", ")+"; "+strings.Join(op.Args, ", "), `"`, "")
		return text == op.Script.Name || text == op.Script.Name+"("+strings.TrimSuffix(operands, "; ")+")"
	case op.IsStatement():
		return is(strings.Join(strings.Fields(op.Args[0]), " "))
	case strings.HasPrefix(text, "zk."):
		return strings.HasPrefix(text, "zk."+op.Args[0]+"("+op.Args[1])
	}
	return strings.HasPrefix(inOneLine(strings.ReplaceAll(strings.Join(append([]string{strings.ToUpper(op.Args[0])}, op.Args[1:]...), " "), `"`, "")), inOneLine(text))
}
