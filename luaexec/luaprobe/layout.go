package luaprobe

import "strings"

// LayOut writes a script with one statement on a line, two spaces further in for
// each block. It keeps the tokens and comments as they are, and the line breaks
// within a statement. Its error is a *SyntaxError.
func LayOut(source string) (string, error) {
	p, err := parse(source)
	if err != nil {
		return "", err
	}
	text, _ := p.layOut()
	return text, nil
}

// isCrowded tells whether three statements or more begin on one line: then a
// person who stands on the line does not see what runs.
func (p *parser) isCrowded() bool {
	begun := map[int]int{}
	for _, s := range p.statements {
		line := p.tokens[s.token].line
		if begun[line]++; begun[line] >= 3 {
			return true
		}
	}
	return false
}

// lineRange is what a token takes of the text that is laid out.
type lineRange struct{ first, last int }

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

// write puts a text on the line, after a space unless it is the first there.
func (g *page) write(text string, indent int, space bool) {
	switch {
	case g.fresh:
		g.out.WriteString(strings.Repeat("  ", indent))
	case space:
		g.out.WriteByte(' ')
	}
	g.out.WriteString(text)
	g.line += lineBreaks(text)
	g.fresh = false
}

func (p *parser) layOut() (string, []lineRange) {
	g := &page{line: 1, fresh: true, blank: true}
	lines := make([]lineRange, len(p.tokens))
	indent, gap := 0, 0
	if strings.HasPrefix(p.source, "#!") {
		gap = strings.IndexByte(p.source, '\n')
		g.write(p.source[:gap], 0, false)
	}
	for i, t := range p.tokens {
		depth, begins := p.indents[i]
		if t.kind == eofToken {
			depth, begins = 0, true
		}
		at := indent + 1
		if begins {
			at = depth
		}
		space := p.comments(g, p.source[gap:t.start], i, at, begins)
		gap = t.end
		if t.kind == eofToken {
			g.newline()
			break
		}
		if begins {
			indent = depth
			g.newline()
		} else if t.is(")") || t.is("}") || t.is("]") {
			at = indent
		}
		lines[i].first = g.line
		g.write(t.text, at, space)
		lines[i].last = g.line
	}
	return g.out.String(), lines
}

// comments writes what stands between two tokens, and tells whether a space does.
func (p *parser) comments(g *page, gap string, next, indent int, begins bool) (space bool) {
	s := &scanner{source: gap}
	t := p.tokens[next]
	breaks := 0
	for s.more() {
		start := s.at
		c := s.peek(0)
		if c == '\n' || c == '\r' {
			s.newline()
			breaks++
			continue
		}
		if c != '-' {
			s.at++
			continue
		}
		_, long := (&scanner{source: gap, at: start + 2}).longBracket()
		_ = s.comment() // which ends, as the scan of the whole source has found
		if breaks > 1 {
			g.emptyLine()
		} else if breaks == 1 {
			g.newline()
		}
		breaks = 0
		g.write(gap[start:s.at], indent, true)
		g.broken = !long
	}
	switch {
	case t.is(";") && !g.broken:
		return false
	case breaks > 1 && begins && t.kind != eofToken:
		g.emptyLine()
	case breaks > 0 || g.broken:
		g.newline()
	}
	return gap != "" || t.is("then") || t.is("do")
}
