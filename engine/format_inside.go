package engine

import (
	"fmt"
	"strings"
)

// lines tells what a script did, line by line: the source's line, the locals
// that have other values than a line before, and each call with its reply and
// the keys that it changed.
func (in *Inside) lines(s *Step) []string {
	source := strings.Split(in.Shown, "\n")
	var out []string
	var locals []Local
	keys, last := in.Before, 0
	for _, l := range in.Lines {
		if l.N > last+1 {
			out = append(out, fmt.Sprintf("| … %d more …", l.N-last-1))
		}
		last = l.N
		if l.Call != nil {
			out = append(out, fmt.Sprintf("|       %s → %s", strings.Join(l.Call.Args, " "), l.Call.Reply))
			for _, c := range changed(nil, "", keys, l.Keys) {
				out = append(out, "|         "+c.Key+": "+s.describeChange(c))
			}
			keys = l.Keys
			continue
		}
		text := ""
		if l.Line >= 1 && l.Line <= len(source) {
			text = strings.TrimRight(source[l.Line-1], " \t\r")
		}
		out = append(out, fmt.Sprintf("| %3d  %s%s", l.Line, text, passes(l.Passes)))
		if news := newValues(locals, l.Locals); news != "" {
			out = append(out, "|       "+news)
		}
		locals = l.Locals
	}
	return out
}

// passes says which turn of each loop a line belongs to. What a loop looks at
// before its first turn is turn 0.
func passes(ns []int) string {
	if len(ns) == 0 || len(ns) == 1 && ns[0] == 0 {
		return ""
	}
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = fmt.Sprint(n)
	}
	return "   -- pass " + strings.Join(texts, ".")
}

func newValues(old, now []Local) string {
	known := map[string]string{}
	for _, l := range old {
		known[l.Name] = l.Value
	}
	var news []string
	for _, l := range now {
		if was, ok := known[l.Name]; !ok || was != l.Value {
			news = append(news, l.Name+" = "+l.Value)
		}
	}
	return strings.Join(news, ", ")
}
