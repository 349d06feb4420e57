package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// String is the trace as text: a line per step, and indented lines for its effects.
func (t *Trace) String() string {
	var b strings.Builder
	var lines []string
	for _, n := range t.Start.Nodes {
		for _, k := range n.Keys {
			lines = append(lines, keyName(n.Node, k.Name, &t.Start)+": "+k.describe(t.Start.Now))
		}
	}
	for _, n := range t.Notes {
		lines = append(lines, n.String())
	}
	for _, m := range t.Start.moves() {
		lines = append(lines, m.lines()...)
	}
	b.WriteString("start  t=" + FormatSpan(t.Start.Now) + "\n" + indented(lines))
	for i := range t.Steps {
		b.WriteString(t.Steps[i].String())
	}
	return b.String()
}

// detail indents the effects of a step below the step's own text.
const detail = "                 "

func indented(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(detail + line + "\n")
	}
	return b.String()
}

// String is one step: its line and the lines of its effects.
func (s *Step) String() string {
	text := fmt.Sprintf("%5d  %-8s  %s\n", s.N, "t="+FormatSpan(s.At), s.headline())
	if s.Inside != nil {
		text += indented(s.Inside.lines(s))
	}
	return text + indented(s.details())
}

func (s *Step) headline() string {
	switch s.Choice.Kind.Of() {
	case AnActor:
		text := s.Choice.Target + " "
		if s.Taken {
			text += "is answered: "
		}
		text += s.performed()
		switch {
		case s.Reply != nil:
			text += " → " + s.Reply.String()
		case s.NoReply != "":
			text += " … " + noReplyWords[s.NoReply]
		}
		return text
	case AProcess:
		if s.Choice.Kind == Drop {
			return s.Choice.String() + ": loses " + Word(s.Lost)
		}
	case TheClock, ANode, AMachine, ALink, AClock:
	}
	return s.Choice.String()
}

var noReplyWords = map[NoReply]string{
	RequestLost: "the request is lost", ReplyLost: "the reply is lost", NodePaused: "the node is paused", InNode: "waits there",
}

// performed is what the actor did, as a verb and its objects.
func (s *Step) performed() string {
	text := requestWords(s.Request)
	if r, ok := s.Request.(Receive); ok {
		text = "receives " + Word(s.Message) + " on " + Word(r.Channel)
	}
	switch {
	case text == "":
		return "runs"
	case len(s.After.Nodes) > 1:
		return text + " on " + NodeOf(s.Request)
	}
	return text
}

// requestWords is a request to a node as a verb and its objects; empty for any other request.
func requestWords(r Request) string {
	switch r := r.(type) {
	case Exec:
		return r.Op.String()
	case Subscribe:
		return "subscribes to " + Word(r.Channel)
	case Unsubscribe:
		return "unsubscribes from " + Word(r.Channel)
	case AwaitReplicas:
		if r.Replicas == 1 {
			return "waits for 1 replica"
		}
		return "waits for " + strconv.Itoa(r.Replicas) + " replicas"
	}
	return ""
}

// String is the operation as a verb and its objects: runs lock [key] [arg], sends GET key.
func (o Op) String() string {
	asking := ""
	if o.Asking {
		asking = "ASKING "
	}
	on := ""
	if o.Shared != "" {
		on = " by " + o.Shared
	}
	if o.Script == nil && o.IsStatement() {
		return "sends " + strings.Join(strings.Fields(o.Args[0]), " ") + on
	}
	if o.Script == nil {
		return "sends " + asking + words(o.Args) + on
	}
	return "runs " + asking + o.Script.Name + " [" + words(o.Keys) + "] [" + words(o.Args) + "]"
}

func (s *Step) details() []string {
	var lines []string
	message := func(d Delivery) string {
		return "message " + Word(d.Payload) + " on " + keyName(d.Node, d.Channel, &s.After)
	}
	for _, d := range s.Delivered {
		lines = append(lines, message(d)+" reaches "+d.Process)
	}
	for _, d := range s.Missed {
		lines = append(lines, message(d)+" is lost on its way to "+d.Process)
	}
	for _, a := range s.Answered {
		lines = append(lines, a.Node+" answers "+a.Actor+": "+a.Reply.String())
	}
	for _, r := range s.Replicas {
		lines = append(lines, r.String())
	}
	for _, e := range s.Expired {
		if !slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Node == e.Node && c.Key == e.Key && c.New == nil }) {
			lines = append(lines, keyName(e.Node, e.Key, &s.After)+": expires at "+FormatSpan(e.At))
		}
	}
	for _, c := range s.Changes {
		lines = append(lines, keyName(c.Node, c.Key, &s.After)+": "+s.describeChange(c))
	}
	for _, n := range s.Notes {
		lines = append(lines, n.String())
	}
	lines = append(lines, s.ranLines()...)
	for _, m := range s.Moves {
		lines = append(lines, m.lines()...)
	}
	for _, v := range s.Broken {
		lines = append(lines, "✗ "+v.String())
	}
	return lines
}

func (s *Step) describeChange(c Change) string {
	switch {
	case c.Old == nil:
		return c.New.describe(s.At) + " (new)"
	case c.New == nil:
		if e, ok := s.ExpiryOf(c); ok {
			return "expires at " + FormatSpan(e.At) + " (was " + c.Old.Value() + ")"
		}
		return "gone (was " + c.Old.lastValue() + ")"
	}
	var parts []string
	switch {
	case c.Old.Type != c.New.Type, c.New.Type == ListKey, c.New.Type == StringKey:
		if c.Old.Value() != c.New.Value() {
			parts = append(parts, c.Old.Value()+" → "+c.New.Value())
		}
	default:
		parts = itemChanges(c.Old, c.New)
	}
	parts = append(parts, c.pendingChanges(len(parts) > 0)...)
	if c.Old.Deadline != c.New.Deadline {
		parts = append(parts, remaining(c.New.Deadline, s.At)+" (was "+remaining(c.Old.Deadline, s.At)+")")
	}
	return strings.Join(parts, ", ")
}

// itemChanges lists the fields or members that differ: new and changed ones in the order of now,
// then the removed ones in the order of old.
func itemChanges(old, now *Key) []string {
	var parts []string
	for _, it := range now.Items {
		before, existed := old.Get(it.Name)
		switch {
		case !existed:
			parts = append(parts, now.item(it)+" (new)")
		case before != it.Value:
			parts = append(parts, Word(it.Name)+": "+Word(before)+" → "+Word(it.Value))
		}
	}
	for _, it := range old.Items {
		if _, exists := now.Get(it.Name); !exists {
			parts = append(parts, Word(it.Name)+" gone")
		}
	}
	return parts
}

func (k Key) describe(now Instant) string {
	if k.Type == RowKey {
		return k.rowText()
	}
	return k.Value() + ", " + remaining(k.Deadline, now)
}

// Value is the key's type and value without its deadline: hash {A: 1}, list
// [A, B], string 5.
func (k Key) Value() string {
	if k.Type == StringKey {
		return "string " + Word(k.Text)
	}
	parts := make([]string, len(k.Items))
	for i, it := range k.Items {
		parts[i] = k.item(it)
	}
	list := strings.Join(parts, ", ")
	if k.Type == ListKey {
		return string(k.Type) + " [" + list + "]"
	}
	return string(k.Type) + " {" + list + "}"
}

func (k Key) item(it Item) string {
	switch k.Type {
	case ListKey:
		return Word(it.Value)
	case SetKey:
		return Word(it.Name)
	case StringKey, HashKey, ZSetKey, StreamKey, RowKey, ZnodeKey:
	}
	return Word(it.Name) + ": " + Word(it.Value)
}

func remaining(deadline, now Instant) string {
	if deadline == NoDeadline {
		return "no TTL"
	}
	return FormatSpan(deadline-now) + " to live"
}

// noteWords are formats of two arguments: the actor and the note's text.
var noteWords = map[NoteKind]string{
	NoteWoke:     "%s wakes from %s",
	NoteTimeout:  "%s has waited long enough for a message on %s",
	NoteNoReply:  "%s has waited long enough for a reply from %s",
	NoteEnter:    "%s enters %s",
	NoteReenter:  "%s enters %s again",
	NoteLeave:    "%s leaves %s",
	NoteStay:     "%s stays inside %s",
	NoteRefused:  "%s is refused %s",
	NoteWant:     "%s waits for %s",
	NoteUnwant:   "%s gives up %s",
	NoteSay:      "%s says: %s",
	NoteRemember: "%s notes in its process: %s",
	NoteSpawn:    "%s starts %s",
	NoteCancel:   "%s cancels %s",
	NoteDone:     "%[1]s ends",
	NoteFailed:   "%s fails: %s",
}

// String is the note as a sentence.
func (n Note) String() string {
	text := Word(n.Text)
	switch n.Kind { //nolint:exhaustive // the Text of the others is a name
	case NoteRemember:
		text = oneLine(n.Text)
		if !strings.Contains(text, " = ") {
			return n.Actor + " removes what its process had noted: " + text
		}
	case NoteSay, NoteFailed:
		text = oneLine(n.Text)
	case NoteWoke:
		if n.Text == "" {
			return n.Actor + " wakes"
		}
	}
	return fmt.Sprintf(noteWords[n.Kind], n.Actor, text)
}

// keyName includes the node only where there is more than one.
func keyName(node, name string, s *Snapshot) string {
	if len(s.Nodes) < 2 {
		return Word(name)
	}
	return node + "/" + Word(name)
}

// Word is text that reads as one word: in quotes if it is empty or has spaces, quotes, commas,
// brackets or unprintable characters.
func Word(text string) string {
	odd := func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar || strings.ContainsRune(`"',[]`, r)
	}
	if text == "" || strings.ContainsFunc(text, odd) {
		return strconv.Quote(text)
	}
	return text
}

func words(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = Word(t)
	}
	return strings.Join(quoted, " ")
}

// oneLine quotes text with line breaks or other unprintable characters, which would break the columns.
func oneLine(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
