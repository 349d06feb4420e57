package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// shownLine is the line that the learner stands on inside a script; nil outside.
func shownLine(v *View) *engine.Line {
	if v.Line == 0 {
		return nil
	}
	return &v.Step().Inside.Lines[v.Line-1]
}

// lineKeys is what a node holds after the shown line, and what that line changed.
// Other nodes than the script's are as they were before it.
func lineKeys(v *View, node engine.NodeView) (engine.NodeView, []engine.Change) {
	if engine.NodeOf(v.Step().Request) != node.Node {
		return node, nil
	}
	in := v.Step().Inside
	node.Keys = in.Lines[v.Line-1].Keys
	return node, in.Changes(node.Node, v.Line-1)
}

// localRow is a variable, compared with its value one line before.
type localRow struct {
	engine.Local
	Old   string
	Delta delta
}

// localRows are the locals in scope. A call to Redis happens between two lines and has the
// locals of the line that it is on.
func localRows(in *engine.Inside, at int) []localRow {
	before, now := in.Lines[:at-1], in.Lines[at-1]
	if now.Call != nil {
		var rows []localRow
		for _, l := range localsOf(before) {
			rows = append(rows, localRow{Local: l})
		}
		return rows
	}
	return rowsOf(localsOf(before), now.Locals)
}

// rowsOf compares variables with their earlier values.
func rowsOf(was, now []engine.Local) []localRow {
	var rows []localRow
	for _, l := range now {
		if isLibrary(l.Value) {
			continue
		}
		row := localRow{Local: l}
		i := slices.IndexFunc(was, func(o engine.Local) bool { return o.Name == l.Name })
		switch {
		case i < 0:
			row.Delta = deltaNew
		case was[i].Value != l.Value:
			row.Delta, row.Old = deltaChanged, was[i].Value
		}
		rows = append(rows, row)
	}
	return rows
}

// isLibrary tells whether a value is a table of functions, of which the page has nothing to show.
func isLibrary(value string) bool {
	inner, table := strings.CutPrefix(value, "{")
	if !table || !strings.Contains(inner, " = function") {
		return false
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ", ") {
		if _, is, _ := strings.Cut(part, " = "); is != "function" && !strings.HasPrefix(part, "…") {
			return false
		}
	}
	return true
}

// localsOf are the locals of the last line that is not a call.
func localsOf(lines []engine.Line) []engine.Local {
	for _, l := range slices.Backward(lines) {
		if l.Call == nil {
			return l.Locals
		}
	}
	return nil
}

// pass says which iteration of the enclosing loops a line belongs to: 2, or 3.1 for the
// first iteration of an inner loop in the third of an outer one. A loop's header, evaluated
// before the first iteration, belongs to none.
func pass(l *engine.Line) string {
	turns := slices.DeleteFunc(slices.Clone(l.Passes), func(n int) bool { return n <= 0 })
	return joined(turns, ".", strconv.Itoa)
}

// skipped is how many lines were left out right before and right after a line.
func skipped(in *engine.Inside, at int) (before, after int) {
	l, was, will := in.Lines[at-1], 0, in.Total+1
	if at > 1 {
		was = in.Lines[at-2].N
	}
	if at < len(in.Lines) {
		will = in.Lines[at].N
	}
	return l.N - was - 1, will - l.N - 1
}

// grouped is a number as 9,980.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// callText is a call as Lua would write it, without its parentheses.
func callText(c *engine.Call) string {
	if len(c.Args) == 0 {
		return "redis.call"
	}
	name, err := strconv.Unquote(c.Args[0])
	if err != nil {
		name = c.Args[0]
	}
	return strings.Join(append([]string{name}, c.Args[1:]...), " ")
}

// HasLines tells whether a step ran code, in Redis or in a client.
func HasLines(s *engine.Step) bool {
	if s == nil {
		return false
	}
	exec, ok := s.Request.(engine.Exec)
	return ok && exec.Op.Script != nil || len(s.Moves) > 0
}

// LinesOf is how many lines of a step are known: in its script, and in all.
func LinesOf(s *engine.Step) (script, all int) {
	if s == nil {
		return 0, 0
	}
	if s.Inside != nil {
		script = len(s.Inside.Lines)
	}
	return script, script + len(s.Ran)
}

// placeInLines is the position of the shown line among the step's lines, and their number:
// first those of its script, then those of clients.
func placeInLines(v *View) (at, of int) {
	script, of := LinesOf(v.Step())
	if v.ClientLine > 0 {
		return script + v.ClientLine, of
	}
	return v.Line, of
}

// LineSentence says which of a step's lines is shown.
func LineSentence(v *View) string {
	if v.ClientLine == 0 {
		return scriptSentence(v.Lang, v.Step().Inside, v.Line)
	}
	r := v.Step().Ran[v.ClientLine-1]
	f := r.At.Frames[0]
	place := f.Chunk + ":" + strconv.Itoa(f.Line)
	source := strings.Split(sourceOf(v, f.Chunk), "\n")
	if f.Line < 1 || f.Line > len(source) {
		return place
	}
	return saidClientLine.in(v.Lang, r.Actor, place, strings.TrimSpace(source[f.Line-1]))
}

func scriptSentence(lang lessons.Lang, in *engine.Inside, at int) string {
	l := &in.Lines[at-1]
	switch {
	case l.Call != nil && l.Call.Failed:
		return saidCallFails.in(lang, l.Line, callText(l.Call), l.Call.Reply)
	case l.Call != nil:
		return saidCall.in(lang, l.Line, callText(l.Call), l.Call.Reply)
	}
	source := strings.Split(in.Shown, "\n")
	if l.Line < 1 || l.Line > len(source) {
		return insideAt.in(lang, l.Line)
	}
	return saidLine.in(lang, l.Line, strings.TrimSpace(source[l.Line-1]))
}
