package ui

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// Sentence says what one step did, for the live region, the timeline's table
// and the scrub bar.
func Sentence(lang lessons.Lang, s *engine.Step) string {
	parts := []string{happened(lang, s)}
	for _, v := range s.Broken {
		parts = append(parts, saidBroken.in(lang, invariantName(lang, v.Invariant), Tell(lang, v.Detail)))
	}
	return joinSentences(lang, parts)
}

// beforeSteps adds what actors did on their own before the first step.
func beforeSteps(lang lessons.Lang, t *engine.Trace, parts ...string) string {
	for _, n := range t.Notes {
		parts = append(parts, noteText(lang, n))
	}
	return joinSentences(lang, parts)
}

// happened is the sentence without broken invariants, which the page shows in a banner.
func happened(lang lessons.Lang, s *engine.Step) string {
	parts := []string{headline(lang, s)}
	parts = append(parts, changeSentences(lang, s)...)
	for _, d := range s.Delivered {
		parts = append(parts, saidDelivered.in(lang, d.Payload, d.Channel, d.Process))
	}
	for _, n := range s.Notes {
		if !inHeadline(s, n) {
			parts = append(parts, noteText(lang, n))
		}
	}
	return joinSentences(lang, parts)
}

// joinSentences ends each part as its language does.
func joinSentences(lang lessons.Lang, parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		p = strings.TrimRight(p, ".。")
		if b.Len() > 0 && lang != lessons.Zh {
			b.WriteByte(' ')
		}
		b.WriteString(p + sentenceEnd.in(lang))
	}
	return b.String()
}

// inHeadline tells whether the headline already says what a note says.
func inHeadline(s *engine.Step, n engine.Note) bool {
	section, refused := refusedSection(s)
	if !refused || n.Actor != s.Choice.Target || n.Text != section {
		return false
	}
	_, told := waitTold(s, section)
	return n.Kind == engine.NoteRefused || n.Kind == engine.NoteWant && told
}

// Brief is the sentence without its details: "B was refused: lock".
func Brief(lang lessons.Lang, s *engine.Step) string {
	text := headline(lang, s)
	if _, asked := s.Request.(engine.Exec); asked {
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
		text = brief.in(lang, s.Choice.Target, opName(s.Request))
	}
	if len(s.Broken) > 0 {
		text += clauseComma.in(lang) + wordBroken.in(lang)
	}
	return text
}

func headline(lang lessons.Lang, s *engine.Step) string {
	who := s.Choice.Target
	switch s.Choice.Kind.Of() {
	case engine.TheClock:
		return saidTick.in(lang, span(lang, s.At-s.From), instant(lang, s.At))
	case engine.AProcess:
		return choiceWords[s.Choice.Kind].did.in(lang, who, s.Lost)
	case engine.AnActor:
	}
	switch r := s.Request.(type) {
	case engine.Exec:
		return execHeadline(lang, s, r)
	case engine.Subscribe:
		return saidSubscribe.in(lang, who, r.Channel)
	case engine.Unsubscribe:
		return saidUnsubscribe.in(lang, who, r.Channel)
	case engine.Receive:
		return saidReceive.in(lang, who, s.Message, r.Channel)
	}
	return saidRun.in(lang, who)
}

func execHeadline(lang lessons.Lang, s *engine.Step, r engine.Exec) string {
	who, what := s.Choice.Target, opName(r)
	if r.Op.Script == nil {
		what = clip(commandText(r.Op.Args), 60)
	}
	answer := replyText(s.Reply)
	section, refused := refusedSection(s)
	wait, told := waitTold(s, section)
	switch {
	case s.Reply != nil && s.Reply.IsError():
		return saidError.in(lang, who, what, s.Reply.Str)
	case refused && told:
		return saidMustWait.in(lang, who, section, span(lang, wait), what, answer)
	case refused && r.Op.Script == nil:
		return saidRefusedCmd.in(lang, who, what, answer)
	case refused:
		return saidRefused.in(lang, who, what, section, answer)
	case r.Op.Script != nil:
		return saidScript.in(lang, who, what, answer)
	}
	return saidCommand.in(lang, who, what, answer)
}

// waitTold is the time that the reply tells a waiting actor to wait, if the reply is
// exactly the remaining time of one of the keys.
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

func replyText(r *reply.Reply) string {
	if r == nil {
		return "–"
	}
	return clip(r.String(), 80)
}

func changeSentences(lang lessons.Lang, s *engine.Step) []string {
	const most = 3
	var parts []string
	for i, c := range s.Changes {
		if i == most {
			parts = append(parts, saidMore.in(lang, len(s.Changes)-most))
			break
		}
		parts = append(parts, changeSentence(lang, s, c))
	}
	for _, e := range s.Expired {
		if !changed(s, e.Node, e.Key) {
			parts = append(parts, saidExpired.in(lang, e.Key))
		}
	}
	return parts
}

func changed(s *engine.Step, node, key string) bool {
	for _, c := range s.Changes {
		if c.Node == node && c.Key == key {
			return true
		}
	}
	return false
}

func expired(s *engine.Step, node, key string) bool {
	for _, e := range s.Expired {
		if e.Node == node && e.Key == key {
			return true
		}
	}
	return false
}

func changeSentence(lang lessons.Lang, s *engine.Step, c engine.Change) string {
	switch {
	case c.New == nil && expired(s, c.Node, c.Key):
		return saidExpired.in(lang, c.Key)
	case c.New == nil:
		return saidDeleted.in(lang, c.Key)
	case c.Old == nil && c.New.Deadline == engine.NoDeadline:
		return saidCreated.in(lang, c.Key)
	case c.Old == nil:
		return saidCreatedTTL.in(lang, c.Key, span(lang, c.New.Deadline-s.At))
	}
	var parts []string
	if text := valueChange(lang, c.Old, c.New); text != "" {
		parts = append(parts, text)
	}
	switch {
	case c.Old.Deadline == c.New.Deadline:
	case c.New.Deadline == engine.NoDeadline:
		parts = append(parts, saidNoTTL.in(lang))
	default:
		parts = append(parts, saidTTL.in(lang, span(lang, c.New.Deadline-s.At)))
	}
	return c.Key + clauseColon.in(lang) + strings.Join(parts, clauseComma.in(lang))
}

// valueChange says how a value that is still there has changed.
func valueChange(lang lessons.Lang, was, now *engine.Key) string {
	switch {
	case was.Type != now.Type:
		return string(was.Type) + " → " + string(now.Type)
	case now.Type == engine.StringKey && was.Text != now.Text:
		return clip(was.Text, 40) + " → " + clip(now.Text, 40)
	}
	const most = 3
	var parts []string
	for _, r := range itemRows(was, now) {
		if len(parts) == most && r.Delta != deltaNone {
			parts = append(parts, "…")
			break
		}
		name := clip(r.Name, 40)
		if now.Type == engine.ListKey {
			name = clip(r.Value, 40)
		}
		switch r.Delta {
		case deltaNew:
			parts = append(parts, saidItemNew.in(lang, name))
		case deltaGone:
			parts = append(parts, saidItemGone.in(lang, name))
		case deltaChanged:
			parts = append(parts, name+" "+clip(r.Old, 40)+" → "+clip(r.Value, 40))
		case deltaNone:
		}
	}
	return strings.Join(parts, clauseComma.in(lang))
}

func noteText(lang lessons.Lang, n engine.Note) string {
	switch n.Kind {
	case engine.NoteWoke:
		if n.Text == "" {
			return saidWoke.in(lang, n.Actor)
		}
		return saidWokeFrom.in(lang, n.Actor, n.Text)
	case engine.NoteTimeout:
		return saidTimeout.in(lang, n.Actor, n.Text)
	case engine.NoteEnter:
		return saidEnter.in(lang, n.Actor, n.Text)
	case engine.NoteReenter:
		return saidReenter.in(lang, n.Actor, n.Text)
	case engine.NoteLeave:
		return saidLeave.in(lang, n.Actor, n.Text)
	case engine.NoteStay:
		return saidStay.in(lang, n.Actor, n.Text)
	case engine.NoteRefused:
		return saidNo.in(lang, n.Actor, n.Text)
	case engine.NoteWant:
		return saidWant.in(lang, n.Actor, n.Text)
	case engine.NoteUnwant:
		return saidUnwant.in(lang, n.Actor, n.Text)
	case engine.NoteSay:
		return saidSay.in(lang, n.Actor, n.Text)
	case engine.NoteSpawn:
		return saidSpawn.in(lang, n.Actor, n.Text)
	case engine.NoteCancel:
		return saidCancel.in(lang, n.Actor, n.Text)
	case engine.NoteDone:
		return saidDone.in(lang, n.Actor)
	case engine.NoteFailed:
		return saidFailed.in(lang, n.Actor, Tell(lang, n.Failure))
	}
	return n.Actor + " " + string(n.Kind) + " " + n.Text
}
