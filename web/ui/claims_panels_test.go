package ui_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// panels checks what else the page says of who holds and who waits. Each sentence is listed as often as it is true.
func (p *shown) panels() {
	p.same("inside of sections", p.saidInside(), p.areInside())
	p.same("what clients are inside of and want", p.saidOfActors(), p.areActors())
	p.same("locks of rows", p.saidLocks(), p.areLocks())
	p.same("requests that wait at servers", said(p.html["f-keys"], `<p class="hint">`, "</p>", " waits here for "), p.waitAtServers())
	p.same("uncommitted", p.saidUncommitted(), p.areUncommitted())
	p.same("deadlocks", said(p.html["f-keys"], "<li>", "</li>", " waits for ", " is the victim: "), p.areDeadlocked())
	p.same("owners and watchers of znodes", p.saidOfZnodes(), p.areZnodes())
	p.same("sessions", said(p.html["f-keys"], `<li class="session`, "</li>", ""), p.areSessions())
	p.same("channels and mail", said(p.html["f-channels"], "<li", "</li>", " listens ", " waits in "), p.areChannels())
	p.due()
}

// same compares what is said with what is so.
func (p *shown) same(kind string, said, is []string) {
	p.t.Helper()
	slices.Sort(said)
	slices.Sort(is)
	p.counts[kind] += len(is)
	if !slices.Equal(said, is) {
		p.miss(kind, "it says %q of %q", said, is)
	}
}

// said are the texts between two tags that have one of some words.
func said(from, open, end string, about ...string) []string {
	var all []string
	for _, piece := range pieces(from, open, end) {
		text := words(piece[max(0, strings.Index(piece, ">")+1)*boolInt(!strings.HasSuffix(open, ">")):])
		if slices.ContainsFunc(about, func(word string) bool { return strings.Contains(" "+text+" ", word) }) {
			all = append(all, text)
		}
	}
	return all
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

func (p *shown) saidInside() []string {
	var all []string
	for _, item := range pieces(p.html["f-inside"], "<li", "</li>") {
		_, item, _ = strings.Cut(item, ">")
		all = append(all, words(item))
	}
	return all
}

func (p *shown) areInside() []string {
	var all []string
	for section, who := range whoIsInside(p.now()) {
		text := "inside " + section + " " + strings.Join(who, " ")
		if len(who) > 1 && (slices.Contains(p.lesson.Invariants, "mutual-exclusion") || p.brokeWith(section, who)) {
			text += " at the same time!"
		}
		all = append(all, text)
	}
	return all
}

// brokeWith tells whether a rule of the lesson's own that asks who is inside was broken with these inside, once.
func (p *shown) brokeWith(section string, who []string) bool {
	for i, s := range p.trace.Steps {
		for _, b := range s.Broken {
			for _, rule := range p.lesson.Rules {
				if rule.Name == b.Invariant && strings.Contains(rule.Lua, fmt.Sprintf("inside(%q)", section)) && slices.Equal(whoIsInside(&p.trace.Steps[i].After)[section], who) {
					return true
				}
			}
		}
	}
	return false
}

var (
	actorShown  = regexp.MustCompile(`data-op="thread" data-arg="([^"]*)"`)
	statusShown = regexp.MustCompile(`(?s)<p class="status [^>]*>(.*?)(?:<span|</p>)`)
	leadShown   = regexp.MustCompile(`(?s)^[^>]*><span class="hint">(.*?)</span>`)
	actorArg    = regexp.MustCompile(`"actor":"([^"]*)"`)
)

// saidOfActors are the chips of each client; its status is checked by itself.
func (p *shown) saidOfActors() []string {
	var all []string
	for _, part := range strings.Split(p.html["f-actors"], `class="actor-what"`)[1:] {
		name := actorArg.FindStringSubmatch(html.UnescapeString(actorShown.FindStringSubmatch(part)[1]))[1]
		a, is := p.now().Actor(name)
		status := words(statusShown.FindStringSubmatch(part)[1])
		if !is || !standsThere(p.now(), a, status) {
			p.miss("status of a client", "%s: %q and it is %+v", name, status, a)
		}
		p.counts["status of a client"]++
		chips, next, _ := strings.Cut(part, `<p class="actor-next"`)
		if lead := leadShown.FindStringSubmatch(next); lead != nil && !leadsTo(a, lead[1]) {
			p.miss("word before a request", "%s: %q and it is %+v", name, lead[1], a)
		}
		for _, text := range said(chips, `<span class="chip`, "</span>", " inside ", " wants ") {
			all = append(all, name+" "+text)
		}
	}
	return all
}

// leadsTo tells whether a word before an actor's request says whether it is still to be made.
func leadsTo(a engine.ActorState, word string) bool {
	sent := !a.Answered && (a.InNode || a.Status == engine.Blocked || a.Status == engine.Unanswered)
	switch word {
	case "next":
		return a.Status == engine.Ready || a.Status == engine.Paused && !sent || a.Answered && a.Status != engine.Crashed
	case "sent":
		return sent && a.Status != engine.Crashed
	case "now", "for":
		return a.Status == engine.Sleeping || a.Status == engine.Waiting
	case "takes":
		return a.Status == engine.Ready
	case "stopped at":
		return a.Status == engine.Crashed
	}
	return a.Next == nil // nothing more to do
}

// standsThere tells whether the status in a lane's head is that of an actor.
func standsThere(s *engine.Snapshot, a engine.ActorState, status string) bool {
	switch a.Status {
	case engine.Ready:
		return status == "its reply is there" && a.Answered || status == "ready" && !a.Answered
	case engine.Sleeping, engine.Waiting:
		state, _, _ := strings.Cut(status, ": ")
		if _, forTask := a.Next.(engine.Await); forTask && a.Status == engine.Waiting {
			return state == "waiting"
		}
		if a.Status == engine.Waiting && a.Until == engine.NoDeadline {
			return state == "waits for a message" || state == "waits for an event"
		}
		if a.Task {
			at, found := strings.CutPrefix(state, "until ")
			return found && says(at, a.Until)
		}
		_, at, found := strings.Cut(state, " until t ")
		return found && says(strings.TrimPrefix(at, "= "), a.Until)
	case engine.Paused, engine.Crashed, engine.Finished, engine.Failed:
		return status == string(a.Status)
	case engine.Blocked, engine.Unanswered:
		_, node := s.Node(engine.NodeOf(a.Next))
		return node && strings.Contains(status, engine.NodeOf(a.Next))
	}
	return false
}

func (p *shown) areActors() []string {
	var all []string
	for _, a := range p.now().Actors {
		if a.Task && a.Status == engine.Finished {
			continue
		}
		times := map[string]int{}
		for _, section := range a.Inside {
			times[section]++
		}
		for section, n := range times {
			text := a.Name + " inside " + section
			if n > 1 {
				text += fmt.Sprintf(" ×%d", n)
			}
			all = append(all, text)
		}
		for _, section := range a.Wants {
			all = append(all, a.Name+" wants "+section)
		}
	}
	return all
}

var keyShown = regexp.MustCompile(`data-key-name="([^"]*)"`)

// byKey are the pieces of the keys' panel, each with the key that it is about.
func (p *shown) byKey(visit func(key, piece string)) {
	text := p.html["f-keys"]
	at := keyShown.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		to := len(text)
		if i+1 < len(at) {
			to = at[i+1][0]
		}
		visit(html.UnescapeString(text[m[2]:m[3]]), text[m[1]:to])
	}
	if len(at) == 0 {
		visit("", text)
	}
}

var codeShown = regexp.MustCompile(`(?s)<code[^>]*>(.*?)</code>`)

func (p *shown) saidLocks() []string {
	var all []string
	p.byKey(func(key, piece string) {
		for _, group := range pieces(piece, `<p class="chips locks">`, "</p>") {
			for _, chip := range pieces(group, `<span class="chip`, "</span>") {
				of := key
				if m := codeShown.FindStringSubmatch(chip); m != nil { // of what is no row
					of = words(m[1])
					chip = codeShown.ReplaceAllString(chip, "")
				}
				all = append(all, bare(p.now(), of)+": "+words(chip[strings.Index(chip, ">")+1:]))
			}
		}
	})
	return all
}

// bare is a key without the server that stands before it where there are several.
func bare(s *engine.Snapshot, key string) string {
	for _, n := range s.Nodes {
		if rest, found := strings.CutPrefix(key, n.Node+"/"); found && len(s.Nodes) > 1 {
			return rest
		}
	}
	return key
}

func (p *shown) areLocks() []string {
	modes := map[engine.HoldMode]string{"X": "the exclusive lock (X)", "S": "a shared lock (S)", "gap": "a lock on the gap before it", "insert": "its insert into the gap before it"}
	var all []string
	for _, n := range p.now().Nodes {
		for _, h := range n.Holds {
			verb := " has "
			if h.Waits {
				verb = " waits for "
			}
			all = append(all, h.Key+": "+h.Actor+verb+modes[h.Mode])
		}
	}
	return all
}

func (p *shown) waitAtServers() []string {
	var all []string
	for _, n := range p.now().Nodes {
		for _, w := range n.Waits {
			text := w.Actor + " waits here for " + strings.Join(w.Keys, ", ")
			if len(w.By) > 0 {
				text += ", because of " + strings.Join(w.By, ", ")
			}
			all = append(all, text)
			p.inTheWay(n, w)
		}
	}
	for _, a := range p.now().Actors {
		if r, is := a.Next.(engine.AwaitReplicas); is && a.Status == engine.Blocked {
			text := fmt.Sprintf("%s waits here for %d replica", a.Name, r.Replicas)
			if r.Replicas != 1 {
				text += "s"
			}
			all = append(all, text)
		}
	}
	return all
}

// inTheWay checks that who is said to be in the way of a request has a lock there, or asked for one before.
func (p *shown) inTheWay(n engine.NodeView, w engine.Wait) {
	for _, by := range w.By {
		if !slices.ContainsFunc(n.Holds, func(h engine.Hold) bool { return h.Actor == by && slices.Contains(w.Keys, h.Key) }) {
			p.miss("requests that wait at servers", "%s waits for %v because of %s, which has no lock there: %v", w.Actor, w.Keys, by, n.Holds)
		}
	}
}

func (p *shown) saidUncommitted() []string {
	var all []string
	p.byKey(func(key, piece string) {
		for _, text := range said(piece, `<p class="pending`, "</p>", "uncommitted") {
			who, _, _ := strings.Cut(text, ",")
			all = append(all, bare(p.now(), key)+": "+who)
		}
	})
	return all
}

func (p *shown) areUncommitted() []string {
	var all []string
	for _, n := range p.now().Nodes {
		for _, k := range n.Keys {
			verb := " has written"
			switch {
			case k.Pending.By == "":
				continue
			case k.Pending.Items == nil:
				verb = " has deleted it"
			case k.Items == nil:
				verb = " has inserted"
			}
			all = append(all, k.Name+": "+k.Pending.By+verb)
		}
	}
	return all
}

// areDeadlocked are who waited for whom in a deadlock that the step closed. Who was in the way had the lock before.
func (p *shown) areDeadlocked() []string {
	var all []string
	if p.pos == 0 {
		return nil
	}
	for _, n := range p.now().Nodes {
		before, _ := p.trace.At(p.pos - 1).Node(n.Node)
		if n.Deadlock.N == before.Deadlock.N {
			continue
		}
		for _, w := range n.Deadlock.Waits {
			all = append(all, w.Actor+" waits for "+strings.Join(w.By, ", ")+": "+strings.Join(w.Keys, ", "))
			for _, by := range w.By {
				if !slices.ContainsFunc(before.Holds, func(h engine.Hold) bool { return h.Actor == by && slices.Contains(w.Keys, h.Key) }) {
					p.miss("deadlocks", "%s had no lock on %v", by, w.Keys)
				}
			}
		}
		all = append(all, n.Deadlock.Victim+" is the victim: its transaction is rolled back.")
		if slices.ContainsFunc(n.Holds, func(h engine.Hold) bool { return h.Actor == n.Deadlock.Victim }) {
			p.miss("deadlocks", "%s is no victim: it has locks", n.Deadlock.Victim)
		}
	}
	return all
}

func (p *shown) saidOfZnodes() []string {
	all := said(p.html["f-keys"], `<li class="who`, "</li>", " watches ")
	for _, text := range said(p.html["f-keys"], `<span class="who`, "</span>", " of ") {
		if strings.HasPrefix(text, "ephemeral, ") {
			all = append(all, text)
		}
	}
	return all
}

// areZnodes are the owners of those that there are, and of those that the step removed, which the page still shows.
func (p *shown) areZnodes() []string {
	var all []string
	owner := func(k engine.Key) {
		if process, _ := k.Get("owner"); process != "" && k.Type == engine.ZnodeKey {
			all = append(all, "ephemeral, of "+process)
		}
	}
	for _, n := range p.now().Nodes {
		for _, k := range n.Keys {
			owner(k)
		}
		for _, w := range n.Subscriptions {
			if p.kind(n.Node) == lessons.ZooKeeper && w.Channel != "/" {
				all = append(all, w.Process+" watches"+strings.Repeat(" the children", boolInt(w.Children)))
			}
		}
	}
	if p.pos > 0 {
		for _, c := range p.trace.Steps[p.pos-1].Changes {
			if c.New == nil {
				owner(*c.Old)
			}
		}
	}
	return all
}

func (p *shown) kind(node string) lessons.NodeKind {
	n, _ := p.lesson.Node(node)
	return n.Kind
}

// areSessions checks how long the silent ones still last, and tells the others as they are said.
func (p *shown) areSessions() []string {
	var all []string
	said := said(p.html["f-keys"], `<li class="session`, "</li>", "")
	for _, n := range p.now().Nodes {
		if p.kind(n.Node) != lessons.ZooKeeper {
			continue
		}
		for _, s := range n.Sessions {
			text := s.Process + " alive"
			switch {
			case s.Expired:
				text = s.Process + " expired"
			case s.Until != engine.NoDeadline:
				i := slices.IndexFunc(said, func(text string) bool { return strings.HasPrefix(text, s.Process+" silent, expires in ") })
				if i >= 0 && says(strings.TrimPrefix(said[i], s.Process+" silent, expires in "), s.Until-n.Clock-p.now().Now) {
					text = said[i]
				}
			}
			all = append(all, text)
		}
	}
	return all
}

func (p *shown) areChannels() []string {
	var all []string
	on := func(node, channel string) string {
		if len(p.now().Nodes) > 1 {
			return channel + " on " + node
		}
		return channel
	}
	for _, n := range p.now().Nodes {
		for _, s := range n.Subscriptions {
			if p.kind(n.Node) != lessons.ZooKeeper {
				all = append(all, s.Process+" listens "+on(n.Node, s.Channel))
			}
		}
	}
	for _, m := range p.now().Mail {
		text := m.Payload + " waits in " + m.Process + " " + on(m.Node, m.Channel)
		if p.pos > 0 && slices.Contains(p.trace.Steps[p.pos-1].Delivered, m) {
			text += " new"
		}
		all = append(all, text)
	}
	return all
}

var dueShown = regexp.MustCompile(`^next due in (.+?): `)

// due checks what is said to come next by itself: a move of the clock that names no span stops there.
func (p *shown) due() {
	if p.pos == len(p.trace.Steps) {
		return
	}
	next := &p.trace.Steps[p.pos]
	if next.Choice.Kind != engine.Tick || next.Choice.Span != 0 {
		return
	}
	p.counts["what is due next"]++
	texts := said(p.html["f-clock"], `<p class="hint due"`, "</p>", " due in ")
	if len(texts) != 1 || !says(dueShown.FindStringSubmatch(texts[0])[1], next.At-next.From) {
		p.miss("what is due next", "it says %q, and the clock moves by %s", texts, next.At-next.From)
	}
}

// unleased checks when lanes are drawn as of clients that work on without the lease that they had: a key that ends by itself,
// or a lock, had named them since they got in, and no key does now.
func (p *shown) unleased(drawn map[int]bool, name string) {
	had := false
	for n := range len(p.trace.Steps) + 1 {
		s := p.trace.At(n)
		a, _ := s.Actor(name)
		named, leased := false, false
		for _, node := range s.Nodes {
			for _, k := range node.Keys {
				is := names(k, name)
				named, leased = named || is, leased || is && (k.Deadline != engine.NoDeadline || p.isSection(k.Name))
			}
		}
		had = len(a.Inside) > 0 && (had || leased)
		p.counts["a lane, with its lease or without"]++
		if drawn[n] != (had && !named) {
			p.miss("a lane, with its lease or without", "after step %d %s is drawn without a lease: %v", n, name, drawn[n])
		}
	}
}

// isSection tells whether anybody has ever been in a section of a name.
func (p *shown) isSection(name string) bool {
	return slices.ContainsFunc(p.trace.Steps, func(s engine.Step) bool {
		return slices.ContainsFunc(s.After.Actors, func(a engine.ActorState) bool { return slices.Contains(a.Inside, name) })
	})
}
