package syntax

import (
	"strconv"
	"strings"
)

// ForGopher writes a source that Check accepts in the dialect of gopher-lua, where
// goto is no name and a hexadecimal number has no fraction. Lines stay as they are.
func ForGopher(source string) string {
	if !strings.Contains(source, "goto") && !strings.Contains(source, "0x") && !strings.Contains(source, "0X") {
		return source
	}
	d := dialect{source: source}
	d.start(source, "")
	for d.next(); d.t.token != tokEOS; d.next() {
		d.token()
	}
	d.out.WriteString(source[d.copied:])
	return d.out.String()
}

// dialect translates token by token.
type dialect struct {
	lexer
	source string
	out    strings.Builder
	copied int     // bytes of the source that are in out
	dot    int     // where the dot before this token ends, 0 if there is none
	open   []token // brackets
}

func (d *dialect) token() {
	end := d.at
	if d.current != endOfSource {
		end--
	}
	dot := d.dot
	d.dot = 0
	switch t := d.t.token; {
	case t == '{' || t == '(' || t == '[':
		d.open = append(d.open, t)
	case t == '}' || t == ')' || t == ']':
		d.open = d.open[:max(len(d.open)-1, 0)]
	case t == '.':
		d.dot = end
	case t == tokNumber && strings.ContainsAny(string(d.buffer), "xX"):
		d.replace(end-len(d.buffer), end, strconv.FormatFloat(d.t.num, 'g', 17, 64))
	case t == tokName && d.t.str == "goto":
		d.rename(end-len("goto"), end, dot)
	}
}

// rename replaces goto, which may be a field after a dot, a key or a variable.
func (d *dialect) rename(start, end, dot int) {
	switch {
	case dot > 0:
		d.replace(dot-1, end, strings.Repeat("\n", strings.Count(d.source[dot:start], "\n"))+`["goto"]`)
	case len(d.open) > 0 && d.open[len(d.open)-1] == '{' && d.key(end):
		d.replace(start, end, `["goto"]`)
	default:
		d.replace(start, end, d.free())
	}
}

// key tells whether what follows makes a name the key of a constructor's field.
func (d *dialect) key(end int) bool {
	rest := strings.TrimLeft(d.source[end:], blanks)
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// free is a name that the source does not use.
func (d *dialect) free() string {
	name := "goto_"
	for strings.Contains(d.source, name) {
		name += "_"
	}
	return name
}

func (d *dialect) replace(start, end int, with string) {
	d.out.WriteString(d.source[d.copied:start])
	d.out.WriteString(with)
	d.copied = end
}
