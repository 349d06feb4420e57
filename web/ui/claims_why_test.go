package ui_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// told is a step that the page names as one that led to a breach.
type told struct {
	step *engine.Step
	text string
}

var toldStep = regexp.MustCompile(`"pos":(\d+)`)

// why checks the list under "Why?": its last step is the breach that is explained, and each other one is a cause.
func (p *shown) why() {
	breach := p.explained()
	var all []told
	for _, item := range pieces(p.html["f-why"], "<li>", "</li>") {
		_, arg, _ := strings.Cut(item, "data-arg=")
		m := toldStep.FindStringSubmatch(strings.ReplaceAll(arg, "&#34;", `"`))
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(p.trace.Steps) {
			p.wrong("it names step %s", m[1])
			return
		}
		said := words(item)
		all = append(all, told{&p.trace.Steps[n-1], strings.TrimPrefix(said, m[1]+" ")})
	}
	if breach == nil {
		if len(all) > 0 {
			p.wrong("it explains a breach, and there is none")
		}
		return
	}
	if len(all) == 0 || all[len(all)-1].step.N != breach.N {
		p.wrong("the list does not end with the breach of step %d", breach.N)
		return
	}
	if p.pos != breach.N { // what is listed is the same from everywhere
		return
	}
	for i, c := range all[:len(all)-1] {
		if c.step.N >= breach.N || i > 0 && all[i-1].step.N >= c.step.N {
			p.wrong("step %d is out of order", c.step.N)
		}
		p.counts["why: a cause"]++
		if why := p.isCause(breach, c); why != "" {
			p.counts["wrong: why: "+why]++
			p.wrong("why step %d broke %v: step %d, %q: %s", breach.N, breach.Broken, c.step.N, c.text, why)
		}
	}
	for _, b := range breach.Broken {
		who, sections := insideOf(&breach.After, b.Looked)
		if b.Invariant == "mutual-exclusion" {
			who, sections = p.parties(breach, b)
		}
		p.entersAreTold(breach, b, all, who, sections)
	}
	if got := len(pieces(p.html["f-why"], `class="cause-end"`, "</p>")); got != len(breach.Broken) {
		p.wrong("%d breaches are told of %d", got, len(breach.Broken))
	}
}

// explained is the breach that the page explains: the next one from the shown step on, or else the last.
func (p *shown) explained() *engine.Step {
	var last *engine.Step
	for i := range p.trace.Steps {
		if s := &p.trace.Steps[i]; len(s.Broken) > 0 && (last == nil || last.N < p.pos) {
			last = s
		}
	}
	return last
}

// entersAreTold checks that the page says when each of those got in who are inside of what the rule looked at.
func (p *shown) entersAreTold(breach *engine.Step, b engine.Violation, all []told, who, sections []string) {
	for _, name := range who {
		p.counts["why: an enter"]++
		at := p.lastEntered(breach.N, name, sections)
		if !slices.ContainsFunc(all, func(c told) bool {
			return c.step.N == at
		}) {
			p.counts["wrong: why: an enter is not told"]++
			p.wrong("why step %d broke %v: that %s got in at step %d is not told", breach.N, b, name, at)
		}
	}
}

// lastEntered is the last step up to one in which an actor got into one of the sections.
func (p *shown) lastEntered(n int, name string, sections []string) int {
	for ; n > 0; n-- {
		if noted(&p.trace.Steps[n-1], name, sections, engine.NoteEnter) {
			return n
		}
	}
	return 0
}

func noted(s *engine.Step, name string, sections []string, kinds ...engine.NoteKind) bool {
	return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
		return n.Actor == name && slices.Contains(kinds, n.Kind) && (len(sections) == 0 || slices.Contains(sections, n.Text))
	})
}

// parties are the actors and the sections that a breach of one of the engine's own rules is about, as the rule says; where
// it names no actor, those who are inside or want to be.
func (p *shown) parties(breach *engine.Step, b engine.Violation) (who, sections []string) {
	for _, arg := range b.Detail.Args {
		list, _ := arg.(fact.Names)
		if one, is := arg.(string); is {
			list = fact.Names{one}
		}
		for _, name := range list {
			if _, is := breach.After.Actor(name); is {
				who = append(who, name)
			} else {
				sections = append(sections, name)
			}
		}
	}
	if len(who) == 0 {
		for _, a := range breach.After.Actors {
			if slices.ContainsFunc(slices.Concat(a.Inside, a.Wants), func(s string) bool { return slices.Contains(sections, s) }) {
				who = append(who, a.Name)
			}
		}
	}
	return who, sections
}

// isCause says why a step is no cause of a breach; empty: it is one, of at least one of the rules that are broken.
func (p *shown) isCause(breach *engine.Step, c told) string {
	why := ""
	for _, b := range breach.Broken {
		if len(b.Looked) > 0 || !slices.Contains(engine.RuleNames(), b.Invariant) {
			why = p.isCauseOfValues(breach, b, c)
		} else {
			why = p.isCauseOfInside(breach, b, c)
		}
		if why == "" {
			return ""
		}
	}
	for n := breach.N - 1; n > c.step.N; n-- { // whoever took the lock away did so for reasons
		if s := &p.trace.Steps[n-1]; len(s.Broken) > 0 && s.Choice.Kind == engine.Run && p.isCause(s, c) == "" &&
			slices.ContainsFunc(s.Changes, func(change engine.Change) bool { return change.New == nil }) {
			return ""
		}
	}
	if p.shortened(c.step, breach) || p.readOwn(c.step, breach) {
		return ""
	}
	return why
}

// shortened tells whether a step had a key end earlier, and the key has expired since.
func (p *shown) shortened(s, breach *engine.Step) bool {
	return slices.ContainsFunc(s.Changes, func(c engine.Change) bool {
		if c.Old == nil || c.New == nil || c.Old.Deadline != engine.NoDeadline && c.New.Deadline >= c.Old.Deadline {
			return false
		}
		for n := s.N + 1; n < breach.N; n++ {
			view, _ := p.trace.At(n).Node(c.Node)
			key, is := view.Key(c.Key)
			_, expired := p.trace.Steps[n-1].ExpiryOf(engine.Change{Node: c.Node, Key: c.Key})
			if !is || key.Deadline != c.New.Deadline {
				return expired
			}
		}
		return false
	})
}

// readOwn tells whether a step changed nothing and asked for something that the same actor has changed by the breach.
func (p *shown) readOwn(s, breach *engine.Step) bool {
	return len(s.Changes) == 0 && slices.ContainsFunc(p.trace.Steps[s.N:breach.N], func(later engine.Step) bool {
		return later.Choice == s.Choice && slices.ContainsFunc(later.Changes, func(c engine.Change) bool {
			return p.read(s, []engine.Place{{Node: c.Node, Key: c.Key}})
		})
	})
}

var (
	saysEnter   = form(`<A> got into <S>`)
	saysExpired = form(`<S>(?: on \S+)? expired`)
	saysDeleted = form(`.*; <S>(?: on \S+)? was deleted`)
	saysWant    = form(`<A> wants <S>`)
	saysGaveUp  = form(`<A> gave up (?:on|waiting for) a reply from <S>`)
	saysEnded   = form(`<A> has (?:ended|finished)`)
	saysFailed  = form(`<A> failed: .*`)
	saysLocked  = form(`.*?; <A> locked (?:the gap before )?(\S+)`)
	saysWaits   = form(`.*?; <A> waits for (.+)`)
)

// isCauseOfInside is about a breach of one of the engine's own rules.
func (p *shown) isCauseOfInside(breach *engine.Step, b engine.Violation, c told) string {
	who, sections := p.parties(breach, b)
	return p.isCauseOf(breach, b, c, who, sections)
}

// isCauseOf is about a breach of who is inside of sections, or waits.
func (p *shown) isCauseOf(breach *engine.Step, b engine.Violation, c told, who, sections []string) string {
	party := func(name string) bool {
		return slices.ContainsFunc(who, func(w string) bool { return engine.Root(w) == engine.Root(name) })
	}
	about := func(section string) bool { return len(sections) == 0 || slices.Contains(sections, section) }
	s := c.step
	if m := saysEnter.FindStringSubmatch(c.text); m != nil {
		a, _ := breach.After.Actor(m[1])
		was, _ := p.trace.At(breach.N - 1).Actor(m[1])
		switch {
		case noted(s, m[1], []string{m[2]}, engine.NoteEnter) && about(m[2]) && p.heldWhenWanted(s, breach, m[1], m[2], who):
			return ""
		case !noted(s, m[1], []string{m[2]}, engine.NoteEnter) || !party(m[1]) || !about(m[2]):
			return "nobody whom it is about got in there"
		case !slices.Contains(a.Inside, m[2]) && !slices.Contains(was.Inside, m[2]) && m[1] != breach.Choice.Target: // who breaks it may have left
			return "it is not inside any more"
		case p.lastEntered(breach.N, m[1], []string{m[2]}) != s.N:
			return "it left since, and got in again"
		}
		return ""
	}
	if m := saysExpired.FindStringSubmatch(c.text); m != nil {
		return p.wasGuard(s, m[1], who, sections, true)
	}
	if m := saysDeleted.FindStringSubmatch(c.text); m != nil {
		return p.wasGuard(s, m[1], who, sections, false)
	}
	if m := saysWant.FindStringSubmatch(c.text); m != nil {
		if !noted(s, m[1], []string{m[2]}, engine.NoteWant) || !party(m[1]) || !about(m[2]) {
			return "nobody whom it is about began to wait there"
		}
		return ""
	}
	if m := saysGaveUp.FindStringSubmatch(c.text); m != nil {
		if !noted(s, m[1], []string{m[2]}, engine.NoteNoReply) || !party(m[1]) {
			return "nobody whom it is about gave up there"
		}
		return ""
	}
	for _, ends := range []*regexp.Regexp{saysEnded, saysFailed} {
		if m := ends.FindStringSubmatch(c.text); m != nil {
			if !noted(s, m[1], nil, engine.NoteDone, engine.NoteFailed) {
				return "it did not end there"
			}
			return ""
		}
	}
	if s.Choice.Kind.IsFault() && slices.Contains([]string{"nobody-waits-forever", "no-idle-wait"}, b.Invariant) {
		return "" // anybody could have woken them
	}
	if s.Choice.Kind.IsFault() {
		return p.faultMatters(s, breach, who)
	}
	lost := s.NoReply == engine.RequestLost || s.NoReply == engine.ReplyLost
	missed := slices.ContainsFunc(s.Missed, func(d engine.Delivery) bool { return p.runsIn(who, d.Process) })
	if lost && party(s.Choice.Target) || missed {
		return ""
	}
	return "no reason is known"
}

// heldWhenWanted tells whether an actor that got into a section was inside when one that still waits began to want it.
func (p *shown) heldWhenWanted(s, breach *engine.Step, name, section string, who []string) bool {
	for n := s.N; n < breach.N; n++ {
		if a, _ := p.trace.At(n).Actor(name); !slices.Contains(a.Inside, section) {
			return false
		}
		if slices.ContainsFunc(who, func(w string) bool { return noted(&p.trace.Steps[n], w, []string{section}, engine.NoteWant) }) {
			return true
		}
	}
	return false
}

// runsIn tells whether one of the actors runs in a process.
func (p *shown) runsIn(who []string, process string) bool {
	return slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool {
		return a.Process == process && slices.ContainsFunc(who, func(w string) bool { return engine.Root(w) == a.Name })
	})
}

// faultMatters says why a fault is no cause: it happened to a process of nobody whom the breach is about.
func (p *shown) faultMatters(s, breach *engine.Step, who []string) string {
	for _, end := range []string{s.Choice.Target, s.Choice.Other} {
		isProcess := slices.ContainsFunc(p.lesson.Actors, func(a lessons.Actor) bool { return a.Process == end })
		if isProcess && !p.runsIn(who, end) && !p.sessionEnded(s.N, breach.N, end) {
			return "a fault of somebody whom it is not about"
		}
	}
	return ""
}

// sessionEnded tells whether a znode of a process has gone since it had a fault.
func (p *shown) sessionEnded(from, to int, process string) bool {
	return slices.ContainsFunc(p.trace.Steps[from:to], func(s engine.Step) bool {
		return slices.ContainsFunc(s.Changes, func(c engine.Change) bool {
			return c.New == nil && c.Old.Type == engine.ZnodeKey && slices.Contains(c.Old.Items, engine.Item{Name: "owner", Value: process})
		})
	})
}

// wasGuard says why the end of a key is no cause: it was none of a section that the breach is about, and named nobody
// whom it is about.
func (p *shown) wasGuard(s *engine.Step, key string, who, sections []string, expired bool) string {
	for _, c := range s.Changes {
		if c.Key != key || c.New != nil || c.Old == nil {
			continue
		}
		if _, by := s.ExpiryOf(c); by != expired {
			return "it went another way"
		}
		if len(sections) == 0 || slices.ContainsFunc(sections, func(section string) bool { return key == section || strings.HasPrefix(key, section+"/") }) {
			return ""
		}
		texts := strings.FieldsFunc(key+" "+c.Old.Value(), func(r rune) bool { return strings.ContainsRune(" :{},", r) })
		if slices.ContainsFunc(who, func(w string) bool { return slices.Contains(texts, engine.Root(w)) }) {
			return ""
		}
		return "the key is another one's"
	}
	if expired && slices.ContainsFunc(s.Expired, func(e engine.Expiry) bool { return e.Key == key }) {
		if len(sections) == 0 || slices.Contains(sections, key) {
			return ""
		}
		return "the key that expired, and was there again, is another one's"
	}
	return "the key did not go"
}

// isCauseOfValues is about a breach of a lesson's own rule, which looked at keys and at deadlocks.
func (p *shown) isCauseOfValues(breach *engine.Step, b engine.Violation, c told) string {
	s := c.step
	if m := saysLocked.FindStringSubmatch(c.text); m != nil {
		return p.gotLock(s, breach, m[1], m[2])
	}
	if m := saysWaits.FindStringSubmatch(c.text); m != nil {
		for _, n := range breach.After.Nodes {
			for _, w := range n.Deadlock.Waits {
				if w.Actor == m[1] && strings.Join(w.By, ", ") == m[2] && s.Choice.Target == m[1] && s.NoReply == engine.InNode {
					return ""
				}
			}
		}
		for _, n := range s.After.Nodes {
			for _, w := range n.Waits {
				if w.Actor == m[1] && strings.Join(w.By, ", ") == m[2] && breach.Choice.Target == m[1] && breach.Taken {
					return ""
				}
			}
		}
		return "it did not wait for them"
	}
	if p.wrote(s, b.Looked) || p.read(s, b.Looked) || p.wrote(breach, b.Looked) && s == p.lastAnswered(breach) {
		return ""
	}
	if who, sections := insideOf(&breach.After, b.Looked); len(who) > 0 && p.isCauseOf(breach, b, c, who, sections) == "" {
		return ""
	}
	acted := p.wroteOrRead(breach, b)
	if m := saysExpired.FindStringSubmatch(c.text); m != nil && p.wasGuard(s, m[1], acted, []string{"no section"}, true) == "" {
		return ""
	}
	if p.wasHeard(s, breach, acted) || p.ledTogether(breach, b, c, acted) {
		return ""
	}
	if s.Choice.Kind.IsFault() {
		return p.faultMatters(s, breach, acted)
	}
	return "it neither wrote nor read what the rule looks at"
}

// wasHeard tells whether a step took a message in the process of somebody who acted, or sent the message that was taken there.
func (p *shown) wasHeard(s, breach *engine.Step, acted []string) bool {
	return slices.ContainsFunc(p.trace.Steps[s.N-1:breach.N], func(took engine.Step) bool {
		got, _ := took.Request.(engine.Receive)
		return took.Message != "" && p.runsIn(acted, took.Process) && (took.N == s.N || slices.ContainsFunc(s.Delivered, func(d engine.Delivery) bool {
			return d.Process == took.Process && d.Node == got.Node && d.Channel == got.Channel && d.Payload == took.Message
		}))
	})
}

// ledTogether tells whether a step had its part in that two who acted were inside of a section at once.
func (p *shown) ledTogether(breach *engine.Step, b engine.Violation, c told, acted []string) bool {
	for n := c.step.N; n < breach.N; n++ {
		for _, h := range p.trace.At(n).Held {
			both := slices.DeleteFunc(slices.Clone(h.Actors), func(name string) bool { return !slices.Contains(acted, name) })
			if len(both) > 1 {
				met := &p.trace.Steps[n-1]
				return met.N == c.step.N || p.readOwn(c.step, met) || p.isCauseOf(met, b, c, both, []string{h.Section}) == ""
			}
		}
	}
	return false
}

// wrote tells whether a step changed something at which a rule looked.
func (p *shown) wrote(s *engine.Step, looked []engine.Place) bool {
	return slices.ContainsFunc(s.Changes, func(c engine.Change) bool { return slices.Contains(looked, engine.Place{Node: c.Node, Key: c.Key}) })
}

// read tells whether a step asked for something at which a rule looked: by its name, or by that of its table.
func (p *shown) read(s *engine.Step, looked []engine.Place) bool {
	e, is := s.Request.(engine.Exec)
	if !is || s.Reply == nil {
		return false
	}
	asked := strings.Join(slices.Concat(e.Op.Keys, e.Op.Args), "\n")
	return slices.ContainsFunc(looked, func(at engine.Place) bool {
		table, _, isRow := strings.Cut(at.Key, "/")
		return at.Node == e.Node && (slices.Contains(strings.Split(asked, "\n"), at.Key) || isRow && e.Op.IsStatement() && strings.Contains(asked, table))
	})
}

// wroteOrRead are the actors that did anything up to a breach with what the rule looked at.
func (p *shown) wroteOrRead(breach *engine.Step, b engine.Violation) []string {
	who := []string{breach.Choice.Target}
	for i := range breach.N {
		if s := &p.trace.Steps[i]; s.Choice.Kind == engine.Run && (p.wrote(s, b.Looked) || p.read(s, b.Looked)) {
			who = append(who, s.Choice.Target)
		}
	}
	for i := range breach.N {
		for _, n := range p.trace.Steps[i].After.Nodes {
			for _, w := range n.Waits {
				if w.Actor == breach.Choice.Target {
					who = append(who, w.By...)
				}
			}
		}
	}
	return who
}

// gotLock says why a step is not the one in which an actor got the lock that it had right before a breach.
func (p *shown) gotLock(s, breach *engine.Step, actor, key string) string {
	has := func(n int) bool {
		return slices.ContainsFunc(p.trace.At(n).Nodes, func(v engine.NodeView) bool {
			return slices.ContainsFunc(v.Holds, func(h engine.Hold) bool { return h.Actor == actor && h.Key == key && !h.Waits })
		})
	}
	for n := s.N; n < breach.N; n++ {
		if !has(n) {
			return "it has no lock after step " + strconv.Itoa(n)
		}
	}
	if has(s.N - 1) {
		return "it had the lock before"
	}
	return ""
}

// insideOf are the actors inside of the sections at which a rule looked.
func insideOf(s *engine.Snapshot, looked []engine.Place) (who, sections []string) {
	for _, at := range looked {
		for _, a := range s.Actors {
			if at.Node == "" && slices.Contains(a.Inside, at.Key) {
				who, sections = append(who, a.Name), append(sections, at.Key)
			}
		}
	}
	return who, sections
}

// lastAnswered is the step in which the actor of a step had got a reply before, on which it acted.
func (p *shown) lastAnswered(s *engine.Step) *engine.Step {
	for n := s.N - 1; n > 0; n-- {
		if before := &p.trace.Steps[n-1]; before.Choice == s.Choice && before.Reply != nil {
			return before
		}
	}
	return nil
}
