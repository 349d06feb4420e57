package decode

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/lessons"
)

// mostColumns is how long a line may become before a value is written on several.
const mostColumns = 110

// value is a piece of YAML to write: a scalar, a list or a mapping.
type value struct {
	text  string
	items []value
	pairs []entry
	kind  byte // 's', 'l' or 'm'
}

type entry struct {
	key   string
	value value
}

func mapping() value { return value{kind: 'm'} }

func list(texts []string) value {
	v := value{kind: 'l'}
	for _, t := range texts {
		v.items = append(v.items, value{kind: 's', text: quoted(t)})
	}
	return v
}

func scalarOf(text string) value { return value{kind: 's', text: quoted(text)} }

// bare is text that means itself without quotes, wherever it stands.
var bare = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.-]*|0|-?[1-9][0-9]{0,15}|-?[0-9]{1,15}\.[0-9]{1,15}|[0-9]+(ms|s|m|h))$`)

// special are words that YAML takes for something else.
var special = regexp.MustCompile(`(?i)^(null|true|false)$`)

// quoted is a text as YAML reads it back. What JSON quotes, YAML does.
func quoted(text string) string {
	switch {
	case bare.MatchString(text) && !special.MatchString(text):
		return text
	case strings.Contains(text, `"`) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// flow is the value on one line.
func (v value) flow() string {
	var parts []string
	switch v.kind {
	case 'l':
		for _, item := range v.items {
			parts = append(parts, item.flow())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case 'm':
		for _, p := range v.pairs {
			parts = append(parts, quoted(p.key)+": "+p.value.flow())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.text
}

// lines are a key with its value, indented; a mapping that is too long for one
// line has one for each of its keys.
func (p entry) lines(indent int) []string {
	blanks := strings.Repeat(" ", indent)
	one := blanks + quoted(p.key) + ": " + p.value.flow()
	mappings := len(p.value.items) > 0 && p.value.items[0].kind == 'm'
	if p.value.kind != 'm' && !mappings || len(p.value.pairs)+len(p.value.items) == 0 || utf8.RuneCountInString(one) <= mostColumns {
		return []string{one}
	}
	out := []string{blanks + quoted(p.key) + ":"}
	for _, item := range p.value.items {
		out = append(out, blanks+"  - "+item.flow())
	}
	for _, inner := range p.value.pairs {
		out = append(out, inner.lines(indent+2)...)
	}
	return out
}

// expectation is what an Expect says, as far as a lesson can say it.
func expectation(e *lessons.Expect, l *lessons.Lesson) value {
	v := mapping()
	add := func(key string, part value) { v.pairs = append(v.pairs, entry{key, part}) }
	if e.Reply != nil && replyForm.MatchString(*e.Reply) {
		add("reply", scalarOf(*e.Reply))
	}
	if e.Error != "" {
		add("error", scalarOf(e.Error))
	}
	if e.NoReply != "" {
		add("no-reply", scalarOf(string(e.NoReply)))
	}
	if len(e.Answers) > 0 {
		answers := mapping()
		for _, a := range e.Answers {
			if replyForm.MatchString(a.Reply) {
				answers.pairs = append(answers.pairs, entry{a.Actor, scalarOf(a.Reply)})
			}
		}
		add("answers", answers)
	}
	if keys := keysOf(e.Keys, l); len(keys.pairs) > 0 {
		add("keys", keys)
	}
	for _, part := range []struct {
		key     string
		pending bool
	}{{"rows", false}, {"pending", true}} {
		if rows := rowsOf(e.Rows, part.pending); len(rows.pairs) > 0 {
			add(part.key, rows)
		}
	}
	if len(e.Locks) > 0 {
		locks := mapping()
		for _, l := range e.Locks {
			locks.pairs = append(locks.pairs, entry{l.Name, list(l.Locks)})
		}
		add("locks", locks)
	}
	if len(e.Gone) > 0 {
		add("gone", list(e.Gone))
	}
	if len(e.Holds) > 0 {
		holds := mapping()
		for _, h := range e.Holds {
			holds.pairs = append(holds.pairs, entry{h.Section, list(h.Actors)})
		}
		add("holds", holds)
	}
	if len(e.Status) > 0 {
		status := mapping()
		for _, s := range e.Status {
			status.pairs = append(status.pairs, entry{s.Actor, scalarOf(string(s.Status))})
		}
		add("status", status)
	}
	for _, part := range []struct {
		key  string
		told []lessons.ExpectText
	}{{"failed", e.Failed}, {"says", e.Says}} {
		texts := mapping()
		for _, t := range part.told {
			if utf8.ValidString(t.Text) {
				texts.pairs = append(texts.pairs, entry{t.Actor, scalarOf(t.Text)})
			}
		}
		if len(texts.pairs) > 0 {
			add(part.key, texts)
		}
	}
	if len(e.Behind) > 0 {
		behind := mapping()
		for _, b := range e.Behind {
			behind.pairs = append(behind.pairs, entry{b.Node, scalarOf(lagText(b.Writes))})
		}
		add("behind", behind)
	}
	if len(e.Leads) > 0 {
		add("leads", list(e.Leads))
	}
	if e.Messages != nil {
		add("messages", list(e.Messages))
	}
	if len(e.Events) > 0 {
		events := mapping()
		for _, x := range e.Events {
			events.pairs = append(events.pairs, entry{x.Process, list(x.Events)})
		}
		add("events", events)
	}
	if e.Woke != nil {
		add("woke", list(e.Woke))
	}
	if len(e.Broken) > 0 {
		add("broken", list(e.Broken))
	}
	return v
}

// rowsOf is how rows look, as they were committed or not.
func rowsOf(all []lessons.ExpectRow, pending bool) value {
	rows := mapping()
	for _, r := range all {
		if r.Pending != pending || !utf8.ValidString(r.Name) {
			continue
		}
		looks := scalarOf("none")
		if r.Items != nil {
			looks = mapping()
			for _, it := range r.Items {
				looks.pairs = append(looks.pairs, entry{it.Name, scalarOf(it.Value)})
			}
		}
		rows.pairs = append(rows.pairs, entry{r.Name, looks})
	}
	return rows
}

// keysOf is how keys look: one that several servers have is a list.
func keysOf(all []lessons.ExpectKey, l *lessons.Lesson) value {
	keys := mapping()
	for i, k := range all {
		same := func(o lessons.ExpectKey) bool { return o.Name == k.Name }
		if !utf8.ValidString(k.Name) || slices.ContainsFunc(all[:i], same) {
			continue
		}
		looks := value{kind: 'l'}
		for _, o := range all[i:] {
			if same(o) {
				looks.items = append(looks.items, keyValueOf(o, l))
			}
		}
		if len(looks.items) == 1 {
			looks = looks.items[0]
		}
		keys.pairs = append(keys.pairs, entry{k.Name, looks})
	}
	return keys
}

// keyValueOf is how a key looks. What is no text, and a span that the lesson's
// clock cannot show, is left out.
func keyValueOf(k lessons.ExpectKey, l *lessons.Lesson) value {
	v := mapping()
	if k.Node != "" {
		v.pairs = append(v.pairs, entry{"node", scalarOf(k.Node)})
	}
	if k.Type != "" {
		v.pairs = append(v.pairs, entry{"type", scalarOf(string(k.Type))})
	}
	if content, ok := contentOf(k); ok {
		v.pairs = append(v.pairs, entry{"value", content})
	}
	switch {
	case k.TTL == nil:
	case *k.TTL == engine.NoDeadline:
		v.pairs = append(v.pairs, entry{"ttl", scalarOf("none")})
	case *k.TTL > 0 && *k.TTL <= engine.MaxSpan && *k.TTL%l.Resolution == 0:
		v.pairs = append(v.pairs, entry{"ttl", scalarOf(engine.FormatSpan(*k.TTL))})
	}
	return v
}

func contentOf(k lessons.ExpectKey) (v value, ok bool) {
	if k.Text != nil {
		return scalarOf(*k.Text), utf8.ValidString(*k.Text)
	}
	v = value{kind: 'm'}
	if k.Type == engine.ListKey || k.Type == engine.SetKey {
		v.kind = 'l'
	}
	for _, item := range k.Items {
		if !utf8.ValidString(item.Name) || !utf8.ValidString(item.Value) || v.kind == 'm' && item.Name == "" {
			return value{}, false
		}
		if v.kind == 'l' {
			v.items = append(v.items, scalarOf(item.Name+item.Value))
		} else {
			v.pairs = append(v.pairs, entry{item.Name, scalarOf(item.Value)})
		}
	}
	return v, len(k.Items) > 0 && len(k.Items) <= limits["items"]
}
