package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

func partName(lang lessons.Lang, p lessons.Part) string {
	switch p.Kind {
	case lessons.ScriptPart:
		return partScript.in(lang, p.Name)
	case lessons.ClientPart:
		return partClient.in(lang, p.Name)
	case lessons.ProgramPart:
	}
	return partProgram.in(lang, p.Name)
}

func partNames(lang lessons.Lang, parts []lessons.Part) string {
	return joined(parts, clauseAnd.in(lang), func(p lessons.Part) string { return partName(lang, p) })
}

func edited(v *View, p lessons.Part) bool { return v.Edits != nil && slices.Contains(v.Edits.Parts, p) }

// editPart is the likeliest part for the learner to edit: the shown script, else the program of the client
// that moved, else the first part.
func editPart(v *View) lessons.Part {
	parts := v.Lesson.Parts()
	guesses := []lessons.Part{shownScript(v).part()}
	if s := v.Step(); s != nil {
		guesses = append(guesses, lessons.Part{Kind: lessons.ProgramPart, Name: engine.Root(s.Choice.Target)})
	}
	for _, p := range guesses {
		if slices.Contains(parts, p) {
			return p
		}
	}
	return parts[0]
}

// codePart is the part in which a thread stands: the lock client, or its program.
func codePart(v *View, a engine.ActorState) lessons.Part {
	if a.Position != nil && len(a.Position.Frames) > 0 && a.Position.Frames[0].Chunk == v.Lesson.Client.Chunk() {
		return lessons.Part{Kind: lessons.ClientPart, Name: v.Lesson.Client.Name}
	}
	return lessons.Part{Kind: lessons.ProgramPart, Name: engine.Root(a.Name)}
}

// blocked tells whether the story cannot go on because of an edit.
func blocked(v *View) bool { return whyBlocked(v).Code != "" }

// whyBlocked is why the story's next choice cannot happen; empty: it can, as far as edits go.
func whyBlocked(v *View) fact.Fact {
	next := v.Story.Next
	if v.Edits == nil || next == nil || !v.Present() || next.Kind == engine.Tick && next.Span > 0 {
		return fact.Fact{}
	}
	if o, offered := option(v.Trace.At(v.Pos), next.Kind, next.Target); offered {
		return o.Reason
	}
	return fact.Of(engine.ReasonUnknown, next.Target)
}

// differsIn words the first difference that the edits make; empty: they make none so far.
func differsIn(v *View) string {
	e := v.Edits
	if e.Differs == 0 {
		return ""
	}
	var how string
	switch {
	case e.NotThere != nil:
		how = diffNotThere.in(v.Lang, choiceText(v.Lang, v.Snapshot(), e.NotThere.Choice), Tell(v.Lang, e.NotThere.Reason))
	case e.NotHere != nil:
		how = diffNotHere.in(v.Lang, choiceText(v.Lang, v.Snapshot(), e.NotHere.Choice), Tell(v.Lang, e.NotHere.Reason))
	default:
		how = difference(v, &v.Trace.Steps[e.Differs-1], e.There)
	}
	return editsFrom.in(v.Lang, e.Differs, how)
}

// difference words one difference between a step and the same step without the edits: of the request, else
// the reply, else a key.
func difference(v *View, here, there *engine.Step) string {
	lang, who := v.Lang, here.Choice.Target
	switch kind := here.Choice.Kind; {
	case kind == engine.Tick:
		return diffTick.in(lang)
	case kind.IsFault():
		return diffFault.in(lang)
	}
	asked, wouldAsk := requestText(lang, here.Request, span), requestText(lang, there.Request, span)
	switch {
	case asked != wouldAsk:
		return diffRequest.in(lang, who, clip(asked, 60), clip(wouldAsk, 60))
	case answer(lang, here) != answer(lang, there):
		return diffReply.in(lang, who, answer(lang, here), answer(lang, there))
	}
	for _, c := range changedIn(here, there) {
		if text := keyDifference(lang, c, &here.After, &there.After); text != "" {
			return diffSameReply.in(lang, who, text)
		}
	}
	return diffNotes.in(lang, who)
}

// keyDifference words how a key differs from the same key without the edits; empty: it does not.
func keyDifference(lang lessons.Lang, c engine.Change, here, there *engine.Snapshot) string {
	now, is := keyAt(here, c)
	was, would := keyAt(there, c)
	switch {
	case is && would && now.Value() == was.Value() && now.Deadline-here.Now != was.Deadline-there.Now:
		return diffTTL.in(lang, c.Key, ttlText(lang, now, here), ttlText(lang, was, there))
	case keyText(lang, here, c) != keyText(lang, there, c):
		return diffKey.in(lang, c.Key, clip(keyText(lang, here, c), 60), clip(keyText(lang, there, c), 60))
	}
	return ""
}

// ttlText is what is left of a key's lease.
func ttlText(lang lessons.Lang, k engine.Key, s *engine.Snapshot) string {
	if k.Deadline == engine.NoDeadline {
		return keyNoTTL.in(lang)
	}
	return span(lang, k.Deadline-s.Now)
}

func answer(lang lessons.Lang, s *engine.Step) string {
	if s.Reply == nil {
		return diffNothing.in(lang)
	}
	return replyTo(lang, s)
}

// EditsSentence announces the effect of an edit in the live region.
func EditsSentence(v View) string {
	if v.Edits == nil || len(v.Edits.Parts) == 0 {
		return editorIsReset.in(v.Lang)
	}
	return joinSentences(v.Lang, []string{editsHead.in(v.Lang, partNames(v.Lang, v.Edits.Parts)), editsSoFar(&v)})
}

func editsSoFar(v *View) string {
	switch text := differsIn(v); {
	case text != "":
		return text
	case len(v.Trace.Steps) == 0:
		return editsNone.in(v.Lang)
	}
	return editsSame.in(v.Lang, len(v.Trace.Steps))
}

// comparisonRow compares a value with the same value without the edits.
type comparisonRow struct {
	What        string
	Code        bool // What is a name in Redis
	Here, There string
}

// comparisonRows are the differences between two versions of a step, eight at most. Rules that break only
// here are left out: the page's banner has them.
func comparisonRows(v *View, here, there *engine.Step) []comparisonRow {
	lang := v.Lang
	const most = 8
	var rows []comparisonRow
	add := func(r comparisonRow) {
		if r.Here != r.There && len(rows) < most {
			rows = append(rows, r)
		}
	}
	add(comparisonRow{What: compareRequest.in(lang), Here: requestText(lang, here.Request, span), There: requestText(lang, there.Request, span)})
	add(comparisonRow{What: compareReply.in(lang), Here: answer(lang, here), There: answer(lang, there)})
	for _, c := range changedIn(here, there) {
		add(comparisonRow{What: c.Key, Code: true, Here: keyText(lang, &here.After, c), There: keyText(lang, &there.After, c)})
	}
	if len(there.Broken) > 0 {
		add(comparisonRow{What: compareBroken.in(lang), Here: brokenNames(v, here), There: brokenNames(v, there)})
	}
	return rows
}

// changedIn are the changes of both steps, one for each key.
func changedIn(a, b *engine.Step) []engine.Change {
	var all []engine.Change
	for _, c := range slices.Concat(a.Changes, b.Changes) {
		if _, known := engine.ChangeOf(all, c.Node, c.Key); !known {
			all = append(all, c)
		}
	}
	return all
}

// keyText is a key's value, with what a transaction has made of it and what is left of its lease.
func keyText(lang lessons.Lang, s *engine.Snapshot, c engine.Change) string {
	k, exists := keyAt(s, c)
	switch {
	case !exists:
		return compareGone.in(lang)
	case insertedOnly(k):
		return uncommitted(lang, k)
	case k.Pending.By != "":
		return k.Value() + clauseComma.in(lang) + uncommitted(lang, k)
	case k.Deadline == engine.NoDeadline:
		return k.Value()
	}
	return k.Value() + clauseComma.in(lang) + keyTTL.in(lang) + " " + span(lang, k.Deadline-s.Now)
}

func keyAt(s *engine.Snapshot, c engine.Change) (engine.Key, bool) {
	n, _ := s.Node(c.Node)
	return n.Key(c.Key)
}

func brokenNames(v *View, s *engine.Step) string {
	names := joined(s.Broken, clauseAnd.in(v.Lang), func(b engine.Violation) string { return ruleName(v.Lang, v.Lesson.Rules, b.Invariant) })
	return cmp.Or(names, compareNobody.in(v.Lang))
}

// callOf is the first line that runs a script, with the name of its part; empty: no line names the script.
func callOf(v *View, script string) (who, line string) {
	for _, p := range v.Lesson.Parts() {
		source, _ := v.Lesson.Source(p)
		for text := range strings.SplitSeq(source, "\n") {
			if p.Kind != lessons.ScriptPart && strings.Contains(text, "redis.eval") && strings.Contains(text, strconv.Quote(script)) {
				who = partName(v.Lang, p)
				if v.Lang != lessons.Zh { // there it may begin with a name
					who = sentenceCase(who)
				}
				line, _, _ = strings.Cut(text, " -- ")
				return who, strings.TrimSpace(line)
			}
		}
	}
	return "", ""
}
