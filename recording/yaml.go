package recording

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/yaml"
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
	if w.crosses() || w.Broken != nil {
		line("invariants:")
	}
	if w.crosses() {
		line("  - %s", alone)
	}
	if len(w.shared) > 0 {
		line("  - name: %s\n    lua: %s\n    say: %s", readersOrWriter, yaml.Text(w.rule()), both(sayMixed))
	}
	if r := w.Broken; r != nil {
		line("  - name: %s\n    lua: %s\n    say: %s", ruleTexts[r.Kind].name, yaml.Text(w.lua()), both(ruleTexts[r.Kind].say))
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
	return slices.ContainsFunc(w.Events, func(e Event) bool { return e.Kind == Enter })
}

// given are the keys at the start. A stream cannot be given, nor what is no text.
func (w *writer) given(line func(string, ...any)) {
	all := yaml.Mapping()
	for _, k := range w.Given {
		content, ok := yaml.Content(k)
		if !ok || k.Type == engine.StreamKey || !utf8.ValidString(k.Name) {
			continue
		}
		looks := yaml.Mapping("type", string(k.Type))
		looks.Put("value", content)
		if k.Deadline != engine.NoDeadline {
			looks.Put("ttl", yaml.Text(max(k.Deadline.Truncate(time.Millisecond), time.Millisecond).String()))
		}
		all.Put(k.Name, looks)
	}
	if all.Len() > 0 {
		line("%s", strings.Join(all.Lines("given", 0), "\n"))
	}
}

// story is the beats. When there are too many, several that say nothing become one.
func (w *writer) story() []string {
	var out []string
	ending := words{}
	if w.Ending != "" {
		ending.en = "`" + strings.ReplaceAll(strings.Join(strings.Fields(w.Ending), " "), "`", "'") + "`"
		ending.zh = ending.en
	}
	if n := len(w.beats); n > 0 && w.beats[n-1].say == (words{}) {
		w.beats[n-1].say, ending = ending, words{}
	}
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
	if ending != (words{}) {
		out = append(out, "say: "+both(ending))
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

func both(w words) string { return yaml.Mapping("en", w.en, "zh", w.zh).String() }
