package luaprobe

import (
	"regexp"
	"strings"

	"lockstep/luaexec/syntax"
)

// LayOut writes a script with one statement on each line, indented by two spaces for each
// block. Tokens, comments and line breaks within a statement stay as they are. The error
// is a *syntax.Error.
func LayOut(source string) (string, error) {
	s, err := read(source)
	if err != nil {
		return "", err
	}
	text, _ := s.layOut()
	return text, nil
}

// isCrowded tells whether three or more statements begin on one line: then a learner who
// stands on the line cannot see which of them runs.
func (s *script) isCrowded() bool {
	begun := map[int32]int{}
	for _, r := range s.reports {
		line := s.Tokens[r.First].Line
		if begun[line]++; begun[line] >= 3 {
			return true
		}
	}
	return false
}

// page is a text that is being laid out.
type page struct {
	out    strings.Builder
	line   int
	fresh  bool // nothing stands on the line yet
	blank  bool // the line before is empty, or there is none
	broken bool // a comment has ended the line: what follows must not join it
}

func (g *page) newline() {
	if g.fresh {
		return
	}
	g.out.WriteByte('\n')
	g.line++
	g.fresh, g.blank, g.broken = true, false, false
}

func (g *page) emptyLine() {
	g.newline()
	if !g.blank {
		g.out.WriteByte('\n')
		g.line++
		g.blank = true
	}
}

// write appends a text to the line, after a space unless the line is empty.
func (g *page) write(text string, indent int, space bool) {
	switch {
	case g.fresh:
		g.out.WriteString(strings.Repeat("  ", indent))
	case space:
		g.out.WriteByte(' ')
	}
	g.out.WriteString(text)
	rest := syntax.Tokens(text)
	g.line += int(rest[len(rest)-1].Line) - 1
	g.fresh = false
}

// indents are the tokens that begin a line, with their indentation: first tokens of
// statements, and those that close a block which is not empty.
func (s *script) indents() map[int]int {
	indents := map[int]int{len(s.Tokens) - 1: 0}
	for _, statement := range s.Statements {
		if statement.Condition == 0 {
			indents[statement.First] = statement.Depth
		}
	}
	for _, b := range s.Blocks {
		if b.Close > b.First {
			indents[b.Close] = b.Depth
		}
	}
	return indents
}

// layOut is LayOut with the line on which each token then begins.
func (s *script) layOut() (string, []int) {
	g := &page{line: 1, fresh: true, blank: true}
	lines := make([]int, len(s.Tokens))
	indents := s.indents()
	indent, gap := 0, 0
	if strings.HasPrefix(s.source, "#!") {
		gap = strings.IndexByte(s.source, '\n')
		g.write(s.source[:gap], 0, false)
	}
	for i, t := range s.Tokens {
		depth, begins := indents[i]
		at := indent + 1
		if begins {
			at = depth
		}
		space := g.comments(s.source[gap:t.Start], t.Kind, at, begins)
		gap = int(t.End)
		if t.Kind == syntax.TokEOF {
			g.newline()
			break
		}
		if begins {
			indent = depth
			g.newline()
		} else if t.Kind == ')' || t.Kind == '}' || t.Kind == ']' {
			at = indent
		}
		lines[i] = g.line
		g.write(s.Text(i), at, space)
	}
	return g.out.String(), lines
}

var longComment = regexp.MustCompile(`^--\[=*\[`)

// comments writes the comments before a token, and tells whether white space precedes it.
func (g *page) comments(gap string, next syntax.Kind, indent int, begins bool) (space bool) {
	breaks, line := int32(0), int32(1)
	for _, c := range syntax.Tokens(gap) {
		breaks, line = c.Line-line, c.LastLine
		if c.Kind == syntax.TokEOF {
			break
		}
		if breaks > 1 {
			g.emptyLine()
		} else if breaks == 1 {
			g.newline()
		}
		text := gap[c.Start:c.End]
		g.write(text, indent, true)
		g.broken = !longComment.MatchString(text)
	}
	switch {
	case next == ';' && !g.broken:
		return false
	case breaks > 1 && begins && next != syntax.TokEOF:
		g.emptyLine()
	case breaks > 0 || g.broken:
		g.newline()
	}
	return gap != "" || next == syntax.TokThen || next == syntax.TokDo
}
