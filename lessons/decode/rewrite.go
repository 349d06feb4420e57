package decode

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine/yaml"
	"lockstep/lessons"
)

// Change replaces a run of lines of a file.
type Change struct {
	Line     int // of the first, from 1, in the file as it was
	Old, New []string
}

// Rewrite is the text of a lesson with other expectations, by the index of their beats. Every byte
// outside them stays, so that an author sees no change but these. Comments inside an expectation
// are lost with it, which the changes show. The error says what in the layout stands in the way.
func Rewrite(l *lessons.Lesson, expects map[int]*lessons.Expect) (string, []Change, error) {
	s := newSource(l.File, l.YAML)
	parsed := s.parse(l.YAML)
	if len(parsed.problems) > 0 {
		return "", nil, parsed.problems
	}
	beats, err := storyOf(parsed.body)
	if err != nil {
		return "", nil, err
	}
	bare := strings.TrimPrefix(l.YAML, mark)
	r := rewriter{lines: strings.Split(bare, "\n")}
	for i, n := range beats {
		e, ok := expects[i]
		if !ok {
			continue
		}
		m, ok := n.(*ast.MappingNode)
		if !ok {
			return "", nil, errors.New("a beat is no mapping")
		}
		if err := r.beat(m, expectation(e, l)); err != nil {
			return "", nil, fmt.Errorf("beat %d: %w", i+1, err)
		}
	}
	return strings.TrimSuffix(l.YAML, bare) + Applied(bare, r.changes), r.changes, nil
}

func storyOf(body ast.Node) ([]ast.Node, error) {
	m, ok := body.(*ast.MappingNode)
	if !ok {
		return nil, errors.New("the lesson is no mapping")
	}
	for _, v := range m.Values {
		if key, _ := scalar(v.Key); key == "story" {
			if list, ok := v.Value.(*ast.SequenceNode); ok {
				return list.Values, nil
			}
		}
	}
	return nil, errors.New("the lesson has no story")
}

// rewriter collects changes. Invariant: they are in the order of their lines and do not overlap.
type rewriter struct {
	lines   []string
	changes []Change
}

// Applied is a text with changes, which are in the order of their lines.
func Applied(text string, changes []Change) string {
	lines := strings.Split(text, "\n")
	for _, c := range slices.Backward(changes) {
		lines = slices.Replace(lines, c.Line-1, c.Line-1+len(c.Old), c.New...)
	}
	return strings.Join(lines, "\n")
}

// change replaces count lines from a line on, which is counted from 0. New lines end as those of
// the file do.
func (r *rewriter) change(from, count int, lines []string) {
	if strings.HasSuffix(r.lines[0], "\r") {
		for i, line := range lines {
			if i < len(lines)-1 || from+count < len(r.lines) { // the file's last line may have no end
				lines[i] = strings.TrimSuffix(line, "\r") + "\r"
			}
		}
	}
	r.changes = append(r.changes, Change{Line: from + 1, Old: slices.Clone(r.lines[from : from+count]), New: lines})
}

// beat gives a beat an expectation, in place of its own or as its last key.
func (r *rewriter) beat(m *ast.MappingNode, expect yaml.Value) error {
	if len(m.Values) == 0 {
		return errors.New("the beat is empty")
	}
	var old *ast.MappingValueNode
	for _, v := range m.Values {
		if key, _ := scalar(v.Key); key == "expect" {
			old = v
		}
	}
	switch {
	case m.IsFlowStyle:
		return r.inFlow(m, old, expect)
	case old != nil:
		r.replace(old, expect)
	default:
		at := head(m.Values[0].Key).Position
		end := r.end(at.Line-1, at.Column-1)
		r.change(end, 0, expect.Lines("expect", at.Column-1))
	}
	return nil
}

// end is the line after a block: after the last line, from one on, that is indented by at least so
// much. Blank lines and comments below the block belong to what follows it.
func (r *rewriter) end(from, indent int) int {
	end := from + 1
	for i := from + 1; i < len(r.lines); i++ {
		line := strings.TrimRight(r.lines[i], " \r")
		in := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case line == "":
			continue
		case in < indent:
			return end
		case in == indent && line[in] == '#':
			continue
		}
		end = i + 1
	}
	return end
}

// replace puts a new expectation in place of one that has lines of its own. A comment behind the old
// one stays, after the first new line.
func (r *rewriter) replace(old *ast.MappingValueNode, expect yaml.Value) {
	at := head(old.Key).Position
	from, column := at.Line-1, at.Column-1
	first := []rune(r.lines[from])
	end := r.end(from, column+1)
	comment := trailing(string(first[column:]))
	if m, ok := old.Value.(*ast.MappingNode); ok && m.IsFlowStyle && m.End != nil {
		end = m.End.Position.Line
		last := []rune(r.lines[end-1])
		comment = trailing(string(last[min(m.End.Position.Column, len(last)):]))
	}
	lines := expect.Lines("expect", column)
	lines[0] = string(first[:column]) + strings.TrimLeft(lines[0], " ")
	if comment != "" {
		lines[0] += "  " + comment
	}
	r.change(from, end-from, lines)
}

// trailing is the comment after a value at the end of a line; empty: something else stands there.
func trailing(rest string) string {
	rest = strings.TrimRight(rest, " \r")
	rest = strings.TrimPrefix(rest, "expect:")
	if text := strings.TrimLeft(rest, " "); strings.HasPrefix(text, "#") {
		return text
	}
	return ""
}

// inFlow changes a beat between { and }, such as {run: A, expect: {reply: 1}}. Only one that stands in one
// line, alone, can be changed.
func (r *rewriter) inFlow(m *ast.MappingNode, old *ast.MappingValueNode, expect yaml.Value) error {
	if m.End == nil || m.Start.Position.Line != m.End.Position.Line {
		return errors.New("it is written between { and } on several lines: write it with a key on each line")
	}
	line := m.End.Position.Line - 1
	text := []rune(r.lines[line])
	from, to := m.End.Position.Column-1, m.End.Position.Column-1
	put := ", expect: " + expect.String()
	if old != nil {
		was, ok := old.Value.(*ast.MappingNode)
		if !ok || was.End == nil {
			return errors.New("its expect is written in a way that cannot be changed: write expect: {}")
		}
		from, to, put = was.Start.Position.Column-1, was.End.Position.Column, expect.String()
	}
	if n := len(r.changes); n > 0 && r.changes[n-1].Line-1 == line {
		return errors.New("another beat stands in the same line: write each on a line of its own")
	}
	r.change(line, 1, []string{string(text[:from]) + put + string(text[to:])})
	return nil
}
