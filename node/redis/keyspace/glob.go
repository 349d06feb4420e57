package keyspace

// Match tells whether a text fits one of Redis's patterns: * ? [a-z] [^a] and \ to escape.
func Match(pattern, text string) bool {
	var g globber
	return g.match(pattern, text)
}

// globber remembers that the part after a * matches nowhere: then no earlier * needs to try
// a longer match, and patterns with many stars stay fast.
type globber struct{ hopeless bool }

func (g *globber) match(p, s string) bool {
	for len(p) > 0 && len(s) > 0 {
		switch p[0] {
		case '*':
			for len(p) > 1 && p[1] == '*' {
				p = p[1:]
			}
			return len(p) == 1 || g.matchAfterStar(p[1:], s)
		case '?':
		case '[':
			rest, ok := matchClass(p[1:], s[0])
			if !ok {
				return false
			}
			p, s = rest, s[1:]
			continue
		default:
			if p[0] == '\\' && len(p) >= 2 {
				p = p[1:]
			}
			if p[0] != s[0] {
				return false
			}
		}
		p, s = p[1:], s[1:]
	}
	if len(s) == 0 {
		for len(p) > 0 && p[0] == '*' {
			p = p[1:]
		}
	}
	return len(p) == 0 && len(s) == 0
}

func (g *globber) matchAfterStar(p, s string) bool {
	for len(s) > 0 {
		if g.match(p, s) {
			return true
		}
		if g.hopeless {
			return false
		}
		s = s[1:]
	}
	// The part after the star matches no rest of the text.
	g.hopeless = true
	return false
}

// matchClass matches b against the class that p begins with, after its bracket,
// and returns the pattern after it. A class that is not closed ends with the pattern.
func matchClass(p string, b byte) (rest string, ok bool) {
	negated := len(p) > 0 && p[0] == '^'
	if negated {
		p = p[1:]
	}
	matched := false
	for {
		switch {
		case len(p) >= 2 && p[0] == '\\':
			p = p[1:]
			matched = matched || p[0] == b
		case len(p) == 0:
			return "", matched != negated
		case p[0] == ']':
			return p[1:], matched != negated
		case len(p) >= 3 && p[1] == '-':
			lo, hi := min(p[0], p[2]), max(p[0], p[2])
			p = p[2:]
			matched = matched || lo <= b && b <= hi
		default:
			matched = matched || p[0] == b
		}
		p = p[1:]
	}
}
