package ui_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// standingForms are the sentences under "How things stand".
var standingForms = []sentence{
	{"nobody is inside", form(`Nobody is inside a critical section\.`), func(p *shown, _ []string) string {
		for _, a := range p.now().Actors {
			if len(a.Inside) > 0 {
				return a.Name + " is"
			}
		}
		return ""
	}},
	{"inside, and a lease", form(`<A> is inside <S>\. Its lease ends in <T>\.`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" {
			return wrong
		}
		return p.leased(m[1], m[2], func(k engine.Key) bool {
			return k.Deadline != engine.NoDeadline && says(m[3], k.Deadline-p.now().Now)
		})
	}},
	{"inside, and a key without a TTL", form(`<A> is inside <S>, with a key that never expires\.`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" {
			return wrong
		}
		return p.leased(m[1], m[2], func(k engine.Key) bool { return k.Deadline == engine.NoDeadline && k.Type != engine.ZnodeKey })
	}},
	{"inside, and the key is gone", form(`<A> is inside <S>, and the key (\S+) is gone\.`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" || m[2] != m[3] {
			return wrong + " or another key"
		}
		return p.gone(m[1], m[2])
	}},
	{"inside, and the key is not its own", form(`<A> is inside <S>, and the key (\S+) is not its own any more\.`), func(p *shown, m []string) string {
		if wrong := p.inside(m[1], m[2]); wrong != "" || m[2] != m[3] {
			return wrong + " or another key"
		}
		return p.taken(m[1], m[2])
	}},
	{"inside", form(`<A> is inside <S>\.`), func(p *shown, m []string) string { return p.inside(m[1], m[2]) }},
	{"crashed", form(`<A> is gone: (\S+) has crashed\.`), func(p *shown, m []string) string { return p.is(m[1], m[2], engine.Crashed) }},
	{"paused", form(`<A>: (\S+) is paused and stands still\.`), func(p *shown, m []string) string { return p.is(m[1], m[2], engine.Paused) }},
	{"paused, and the lease runs on", form(`<A>: (\S+) is paused and stands still, and its lease runs on\.`), func(p *shown, m []string) string {
		return p.pausedInside(m[1], m[2], func(section string) string {
			return p.leased(m[1], section, func(k engine.Key) bool { return k.Deadline != engine.NoDeadline })
		})
	}},
	{"paused, and the lease is over", form(`<A>: (\S+) is paused and stands still, and its lease is over\.`), func(p *shown, m []string) string {
		return p.pausedInside(m[1], m[2], func(section string) string {
			if wrong := p.gone(m[1], section); wrong == "" {
				return ""
			}
			return p.taken(m[1], section)
		})
	}},
	{"wants, and waits until", form(`<A> wants <S> and waits, at most until t (?:= )?<T>\.`), func(p *shown, m []string) string {
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
	{"wants, and sleeps until", form(`<A> wants <S> and sleeps until t (?:= )?<T>\.`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Sleeping || !says(m[3], a.Until) {
			return "it does not"
		}
		return ""
	}},
	{"wants, and waits to be woken", form(`<A> wants <S> and waits to be woken\.`), func(p *shown, m []string) string {
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
	{"wants, and takes next", form(`<A> wants <S>\. What it does next: take the reply to (.+)\.`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Ready || !a.Answered || !asks(a.Next, m[3]) {
			return "it does not"
		}
		return ""
	}},
	{"wants, and does next", form(`<A> wants <S>\. What it does next: (.+)\.`), func(p *shown, m []string) string {
		if a := p.wants(m[1], m[2]); a == nil || a.Status != engine.Ready || a.Answered || !asks(a.Next, m[3]) {
			return "it does not"
		}
		return ""
	}},
}

// standing checks all that stands under "How things stand".
func (p *shown) standing() {
	lists := pieces(p.html["f-story"], `<ul class="remarks">`, "</ul>")
	if len(lists) != 1 {
		p.wrong("there are %d lists of remarks", len(lists))
	}
	for _, list := range lists {
		for _, item := range pieces(list, "<li>", "</li>") {
			p.hold(standingForms, words(item))
		}
	}
}

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

// asks tells whether a text is a request: a script by its name, a command as it is typed, as far as the text goes.
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
		if clipped {
			return is("wait for a message on "+r.Channel+", at most ") || is("wait for an event of "+r.Channel+", at most ")
		}
		wait, bound, bounded := strings.Cut(text, ", at most ")
		what, takes := strings.CutPrefix(wait, "take the ")
		what = strings.TrimPrefix(strings.TrimPrefix(what, "wait for a "), "wait for an ")
		return (what == "message on "+r.Channel || what == "event of "+r.Channel) && (takes || bounded == (r.Timeout >= 0) && (!bounded || says(bound, r.Timeout)))
	case engine.Sleep:
		word := "sleep "
		if r.Label != "" {
			word = "work for "
		}
		span, found := strings.CutPrefix(text, word)
		return found && says(span, r.For)
	case engine.Await:
		return is("wait for the task " + r.Name)
	}
	return false
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
