package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"lockstep/engine"
)

// yaml is the lesson.yaml.
func (w *writer) yaml() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	title, summary := w.heading()
	line("title: %s\nsummary: %s", both(title), both(summary))
	line("chapter: more\nlevel: basic\nresolution: 1ms")
	if len(w.Servers) > 1 || w.Servers[0] != "redis" {
		names := make([]string, len(w.Servers))
		for i, s := range w.Servers {
			names[i] = w.names[s]
		}
		line("nodes: [%s]", strings.Join(names, ", "))
	}
	w.given(line)
	if len(w.scripts) > 0 {
		line("scripts:")
		for _, s := range w.scripts {
			line("  %s: {file: %s}", strings.TrimSuffix(s.Name, ".lua"), s.Name)
		}
	}
	line("actors:")
	for _, p := range w.actors {
		line("  %s:\n    program: |", p.name)
		for _, l := range p.lines {
			line("      %s", l)
		}
		if len(p.lines) == 0 {
			line("      -- it sends nothing")
		}
	}
	if w.crosses() {
		line("invariants:\n  - %s", alone)
	}
	if len(w.shared) > 0 {
		line("  - name: %s\n    lua: %s\n    say: %s", readersOrWriter, text(w.rule()), both(sayMixed))
	}
	if len(w.faults) > 0 {
		line("faults: [%s]", strings.Join(w.faults, ", "))
	}
	line("story:")
	for _, s := range w.story() {
		line("  - %s", s)
	}
	return b.String()
}

func (w *writer) crosses() bool {
	for _, e := range w.Events {
		if e.Kind == Enter {
			return true
		}
	}
	return false
}

// given are the keys at the start. A stream cannot be given, nor what is no text.
func (w *writer) given(line func(string, ...any)) {
	begun := false
	for _, k := range w.Given {
		value, ok := valueOf(k)
		if !ok {
			continue
		}
		if !begun {
			line("given:")
			begun = true
		}
		ttl := ""
		if k.Deadline != engine.NoDeadline {
			ttl = fmt.Sprintf(", ttl: %s", max(k.Deadline.Truncate(time.Millisecond), time.Millisecond))
		}
		line("  %s: {type: %s, value: %s%s}", text(k.Name), k.Type, value, ttl)
	}
}

func valueOf(k engine.Key) (string, bool) {
	ok := utf8.ValidString(k.Name) && utf8.ValidString(k.Text)
	var items []string
	for _, it := range k.Items {
		ok = ok && utf8.ValidString(it.Name) && utf8.ValidString(it.Value)
		switch k.Type {
		case engine.ListKey:
			items = append(items, text(it.Value))
		case engine.SetKey:
			items = append(items, text(it.Name))
		default:
			items = append(items, text(it.Name)+": "+text(it.Value))
		}
	}
	switch k.Type { //nolint:exhaustive // a Redis has no others
	case engine.StringKey:
		return text(k.Text), ok
	case engine.ListKey, engine.SetKey:
		return "[" + strings.Join(items, ", ") + "]", ok
	case engine.HashKey, engine.ZSetKey:
		return "{" + strings.Join(items, ", ") + "}", ok
	}
	return "", false
}

// story is the beats. When there are too many, several that say nothing become one.
func (w *writer) story() []string {
	var out []string
	together := 1 + len(w.beats)/(mostBeats/2)
	var do []string
	flush := func() {
		if len(do) > 0 {
			out = append(out, moves(do))
			do = nil
		}
	}
	for _, b := range w.beats {
		if together > 1 && b.say == (words{}) && len(b.broken) == 0 {
			if do = append(do, b.moves...); len(do) >= together {
				flush()
			}
			continue
		}
		flush()
		s := moves(b.moves)
		if b.say != (words{}) {
			s = "say: " + both(b.say) + "\n    " + s
		}
		if len(b.broken) > 0 {
			s += fmt.Sprintf("\n    expect: {broken: [%s]}", strings.Join(b.broken, ", "))
		}
		out = append(out, s)
	}
	flush()
	if w.Ending != "" {
		code := "`" + strings.ReplaceAll(strings.Join(strings.Fields(w.Ending), " "), "`", "'") + "`"
		out = append(out, "say: "+both(words{code, code}))
	}
	return out
}

// moves are one move by its own key, or several.
func moves(of []string) string {
	if verb, rest, _ := strings.Cut(of[0], " "); len(of) == 1 {
		return verb + ": " + rest
	}
	return "do: [" + strings.Join(of, ", ") + "]"
}

func both(w words) string { return fmt.Sprintf("{en: %s, zh: %s}", text(w.en), text(w.zh)) }

// text is a scalar. What JSON quotes, YAML does.
func text(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
