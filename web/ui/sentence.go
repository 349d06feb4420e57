package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// Sentence is one step in words, for the live region, the timeline's table and the scrub bar. A broken
// rule of the lesson's own has its author's words, from rules.
func Sentence(lang lessons.Lang, s *engine.Step, rules ...lessons.Rule) string {
	parts := []string{happened(lang, s)}
	for _, v := range s.Broken {
		parts = append(parts, brokenSentence(lang, v, rules))
	}
	return joinSentences(lang, parts)
}

// brokenSentence names a broken rule: in its author's words if the lesson has some, else with the engine's reason.
func brokenSentence(lang lessons.Lang, b engine.Violation, rules []lessons.Rule) string {
	if _, own := invariantTexts[b.Invariant]; !own {
		if say := ruleOf(rules, b.Invariant).Say.In(lang); say != "" {
			return brokenLabel.in(lang, say)
		}
	}
	return saidBroken.in(lang, ruleName(lang, rules, b.Invariant), Tell(lang, b.Detail))
}

// atStart is the sentence for the place before the first step.
func atStart(v *View) string {
	if len(v.Trace.Notes) > 0 {
		return beforeSteps(v, nowStartBegun.in(v.Lang))
	}
	return nowStart.in(v.Lang)
}

// beforeSteps adds the notes of actors from before the first step.
func beforeSteps(v *View, parts ...string) string {
	for _, n := range v.Lesson.Words.Notes(v.Lang, v.Trace.Notes) {
		parts = append(parts, noteText(v.Lang, n))
	}
	return joinSentences(v.Lang, parts)
}

// happened is the sentence without broken invariants: those are in the page's banner.
func happened(lang lessons.Lang, s *engine.Step) string {
	all := changeSentences(lang, s)
	for _, text := range nodeSentences(lang, s) {
		all = append(all, timed{s.At, text})
	}
	for _, n := range s.Notes {
		if !inHeadline(s, n) {
			all = append(all, timed{n.At, noteText(lang, n)})
		}
	}
	if s.Choice.Kind == engine.Tick {
		slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.At, b.At) })
	}
	parts := []string{headline(lang, s)}
	for _, t := range all {
		parts = append(parts, t.Text)
	}
	return joinSentences(lang, parts)
}

// timed is a sentence with its instant: a move of the clock passes many.
type timed struct {
	At   engine.Instant
	Text string
}

// joinSentences ends each part with the language's full stop. Empty parts are left out.
func joinSentences(lang lessons.Lang, parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		if p = strings.TrimRight(p, ".。"); p == "" {
			continue
		}
		if b.Len() > 0 && lang != lessons.Zh {
			b.WriteByte(' ')
		}
		b.WriteString(p + sentenceEnd.in(lang))
	}
	return b.String()
}

// joined are the texts of some things, one after the other.
func joined[T any](all []T, by string, text func(T) string) string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = text(one)
	}
	return strings.Join(texts, by)
}

// inHeadline tells whether a note would repeat the headline.
func inHeadline(s *engine.Step, n engine.Note) bool {
	section, refused := refusedSection(s)
	if !refused || n.Times > 1 || s.Taken || n.Actor != s.Choice.Target || n.Text != section {
		return false
	}
	_, told := waitTold(s, section)
	return n.Kind == engine.NoteRefused || n.Kind == engine.NoteWant && told
}

// Brief is the sentence without its details: "B was refused: lock".
func Brief(lang lessons.Lang, s *engine.Step) string {
	text := headline(lang, s)
	if _, asked := s.Request.(engine.Exec); asked && s.NoReply == "" && !s.Taken {
		brief := briefAnswered
		switch outcomeOf(s) {
		case outOK:
			brief = briefEntered
		case outDenied:
			brief = briefRefused
			if s.Reply != nil && s.Reply.IsError() {
				brief = briefError
			}
		default:
		}
		who, what := placed(lang, s, askedOn, opName(s.Request))
		text = brief.in(lang, who, what)
	}
	if len(s.Broken) > 0 {
		text += clauseComma.in(lang) + wordBroken.in(lang)
	}
	return text
}

func headline(lang lessons.Lang, s *engine.Step) string {
	who := s.Choice.Target
	switch {
	case s.Choice.Kind == engine.Tick:
		return saidTick.in(lang, span(lang, s.At-s.From), instant(lang, s.At))
	case s.Choice.Kind.IsFault():
		return faultText(lang, s)
	case s.Taken:
		return takenHeadline(lang, s)
	case s.NoReply != "":
		who, what := placed(lang, s, sentTo, askedText(lang, s.Request))
		return noReplyWords[s.NoReply].said.in(lang, who, what)
	}
	switch r := s.Request.(type) {
	case engine.Exec, engine.AwaitReplicas:
		return askedHeadline(lang, s)
	case engine.Subscribe, engine.Unsubscribe:
		return listenHeadline(lang, s)
	case engine.Receive:
		return ofEvents(r.Channel, zkReceive, saidReceive).in(lang, who, s.Message, onNodeOf(lang, s, r.Node, r.Channel))
	}
	return saidRun.in(lang, who)
}

// takenHeadline is for a step that takes the reply to an earlier step's request.
func takenHeadline(lang lessons.Lang, s *engine.Step) string {
	who, what := s.Choice.Target, askedText(lang, s.Request)
	if len(s.After.Nodes) > 1 {
		what = repliedOn.in(lang, what, engine.NodeOf(s.Request))
	}
	if s.Reply == nil {
		return saidTakenNone.in(lang, who, what)
	}
	return saidTaken.in(lang, who, what, replyTo(lang, s))
}

func listenHeadline(lang lessons.Lang, s *engine.Step) string {
	if s.Reply != nil {
		return askedHeadline(lang, s)
	}
	if r, ok := s.Request.(engine.Subscribe); ok {
		who, what := placed(lang, s, askedOn, r.Channel)
		return saidSubscribe.in(lang, who, what)
	}
	who, what := placed(lang, s, askedOn, s.Request.(engine.Unsubscribe).Channel)
	return saidUnsubscribe.in(lang, who, what)
}

func askedHeadline(lang lessons.Lang, s *engine.Step) string {
	r, _ := s.Request.(engine.Exec)
	asked := askedText(lang, s.Request)
	who, what := placed(lang, s, askedOn, asked)
	answer := replyTo(lang, s)
	section, refused := refusedSection(s)
	wait, told := waitTold(s, section)
	several := len(s.After.Nodes) > 1
	switch {
	case s.Reply != nil && s.Reply.IsError(): // nothing ran on a server that is down
		who, what = placed(lang, s, sentTo, asked)
		return saidError.in(lang, who, what, shortHashes(s.Reply.Str))
	case refused && told:
		return saidToldToWait.in(lang, who, section, span(lang, wait), what, answer)
	case refused && r.Op.Script != nil && !slices.Contains(r.Op.Keys, section): // a reader's or a writer's section is no key
		return saidRefusedCmd.in(lang, who, what, answer)
	case refused && r.Op.Script != nil && several:
		return saidRefusedOn.in(lang, who, what, section, answer)
	case refused && r.Op.Script != nil:
		return saidRefused.in(lang, who, what, section, answer)
	case r.Op.Script != nil:
		return saidScript.in(lang, who, what, answer)
	}
	who, what = placed(lang, s, sentTo, asked)
	switch {
	case refused && granted(s):
		return saidGranted.in(lang, who, what, answer, s.Choice.Target, section)
	case refused:
		return saidRefusedCmd.in(lang, who, what, answer)
	}
	return saidCommand.in(lang, who, what, answer)
}

// waitTold reads the reply to a waiting actor as a time to wait in milliseconds. It does so only when a
// key of the request has exactly that time left.
func waitTold(s *engine.Step, section string) (time.Duration, bool) {
	exec, asked := s.Request.(engine.Exec)
	a, _ := s.After.Actor(s.Choice.Target)
	if !asked || !slices.Contains(a.Wants, section) || s.Reply == nil || s.Reply.Kind != reply.Int || s.Reply.Int <= 0 {
		return 0, false
	}
	wait := time.Duration(s.Reply.Int) * time.Millisecond
	node, _ := s.After.Node(exec.Node)
	for _, name := range exec.Op.Keys {
		if k, ok := node.Key(name); ok && k.Deadline != engine.NoDeadline && k.Deadline-s.At == wait {
			return wait, true
		}
	}
	return 0, false
}

// repliedText is the reply to a step's request, or the reason for its absence.
func repliedText(lang lessons.Lang, s *engine.Step) string {
	if s.NoReply != "" {
		return noReplyWords[s.NoReply].short.in(lang)
	}
	return replyTo(lang, s)
}

func changeSentences(lang lessons.Lang, s *engine.Step) []timed {
	const most = 3
	var all []timed
	changes := slices.DeleteFunc(slices.Clone(s.Changes), func(c engine.Change) bool { return lost(s, c) })
	for i, c := range changes {
		if i == most {
			all = append(all, timed{s.At, saidMore.in(lang, len(changes)-most)})
			break
		}
		when := s.At
		if e, expired := s.ExpiryOf(c); expired {
			when = e.At
		}
		all = append(all, timed{when, changeSentence(lang, s, c)})
	}
	for _, e := range s.Expired {
		if _, changed := engine.ChangeOf(s.Changes, e.Node, e.Key); !changed {
			all = append(all, timed{e.At, saidExpired.in(lang, onNodeOf(lang, s, e.Node, e.Key))})
		}
	}
	return all
}

func changeSentence(lang lessons.Lang, s *engine.Step, c engine.Change) string {
	name := onNodeOf(lang, s, c.Node, c.Key)
	switch _, expired := s.ExpiryOf(c); {
	case expired:
		return saidExpired.in(lang, name)
	case c.New == nil && insertedOnly(*c.Old):
		return name + clauseColon.in(lang) + rowRolledBack.in(lang, c.Old.Pending.By)
	case c.New == nil:
		return saidDeleted.in(lang, name)
	case c.New.Type == engine.RowKey:
		return rowSentence(lang, name, c)
	case c.Old == nil && c.New.Type == engine.ZnodeKey:
		return zkCreated.in(lang, name)
	case c.Old == nil && c.New.Deadline == engine.NoDeadline:
		return saidCreated.in(lang, name)
	case c.Old == nil:
		return saidCreatedTTL.in(lang, name, span(lang, c.New.Deadline-s.At))
	}
	var parts []string
	if text := valueChange(lang, c.Old, c.New); text != "" {
		parts = append(parts, text)
	}
	switch {
	case c.Old.Deadline == c.New.Deadline:
	case c.New.Type == engine.ZnodeKey:
		parts = append(parts, sessionSentence(lang, s, c.New))
	case c.New.Deadline == engine.NoDeadline:
		parts = append(parts, saidNoTTL.in(lang))
	default:
		parts = append(parts, saidTTL.in(lang, span(lang, c.New.Deadline-s.At)))
	}
	return name + clauseColon.in(lang) + strings.Join(parts, clauseComma.in(lang))
}

// valueChange is the difference between two values of one key; empty: none.
func valueChange(lang lessons.Lang, was, now *engine.Key) string {
	switch {
	case was.Type != now.Type:
		return string(was.Type) + " → " + string(now.Type)
	case now.Type == engine.StringKey && was.Text != now.Text:
		return fromTo(was.Text, now.Text)
	}
	const most = 3
	var parts []string
	for _, r := range itemRows(was, now) {
		if len(parts) == most && r.Delta != deltaNone {
			parts = append(parts, "…")
			break
		}
		name := clip(readable(r.Name), 40)
		if now.Type == engine.ListKey {
			name = clip(readable(r.Value), 40)
		}
		switch r.Delta {
		case deltaNew:
			parts = append(parts, saidItemNew.in(lang, name))
		case deltaGone:
			parts = append(parts, saidItemGone.in(lang, name))
		case deltaChanged:
			parts = append(parts, name+" "+fromTo(r.Old, r.Value))
		case deltaNone:
		}
	}
	return strings.Join(parts, clauseComma.in(lang))
}

// fromTo is what a text was and is. An empty one is shown as one.
func fromTo(was, now string) string {
	short := func(text string) string { return cmp.Or(clip(readable(text), 40), `""`) }
	return short(was) + " → " + short(now)
}

func noteText(lang lessons.Lang, n engine.Note) string {
	words, what := saidOf[n.Kind], n.Text
	if n.Times > 1 {
		return saidOften.in(lang, n.Actor, what, n.Times)
	}
	switch {
	case n.Kind == engine.NoteWoke && n.Text != "" && n.Span > 0:
		words, what = saidWorked, span(lang, n.Span)
	case n.Kind == engine.NoteTimeout:
		words = ofEvents(n.Text, zkTimeout, words)
	case n.Kind == engine.NoteRemember && !strings.Contains(n.Text, " = "):
		words = saidForget
	case n.Kind == engine.NoteFailed:
		what = Tell(lang, n.Failure)
	}
	return words.in(lang, n.Actor, what)
}
