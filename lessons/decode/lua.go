package decode

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/node/redis/portable"
)

// MostLua bounds a script or a program, and mostClient a lock client, in bytes.
const (
	MostLua    = 16 << 10
	mostClient = 64 << 10
)

// mark is what some editors write before the first character of a text.
const mark = "\uFEFF"

// code is a piece of Lua with its place.
type code struct {
	what   string
	path   string // what a language without words for it calls it
	source string
	in     *source
	line   int      // the number of its first line in the file
	lines  int      // in the file: those of a text in quotes may all be in one
	at     ast.Node // the Lua in the lesson, or the name of its file
}

// code reads Lua inside the lesson's YAML.
func (d *decoder) code(t plainText) (c code, ok bool) {
	if !t.ok() {
		return code{}, false
	}
	c = code{what: t.what, path: t.path, source: t.text, in: d.file, line: d.place(t.node).Line, at: t.node}
	literal, block := t.node.(*ast.LiteralNode)
	inline, _ := t.node.(*ast.StringNode)
	switch {
	case block:
		c.line++
	case inline != nil:
		c.lines = 1 + strings.Count(strings.TrimSpace(inline.Token.Origin), "\n")
	}
	switch {
	case block && strings.HasPrefix(literal.Start.Value, ">"):
		d.fail(t.node, lessons.CodeLua, fact.Of("lesson-folded", t.called()), fact.Of("lesson-write-bar"))
	case inline != nil && folds(inline.Token):
		d.fail(t.node, lessons.CodeLua, fact.Of("lesson-several-lines", t.called()), fact.Of("lesson-write-bar-below"))
	case strings.TrimSpace(t.text) == "":
		d.fail(t.node, lessons.CodeLua, fact.Of("lesson-empty-value", t.called()), fact.Of("lesson-write-lua"))
	case len(t.text) > MostLua:
		d.fail(t.node, lessons.CodeLimit, fact.Of("lesson-long-text", t.called(), MostLua, len(t.text)), fact.Of("lesson-shorter"))
	default:
		return c, true
	}
	return code{}, false
}

// folds tells whether YAML makes one line of several. In quotes \n is a line break, and a \ at the end of a line joins it to the next.
func folds(t *token.Token) bool {
	text := strings.TrimSpace(t.Origin)
	if t.Type == token.DoubleQuoteType {
		text = writtenBreak.ReplaceAllString(text, "")
	}
	return strings.Contains(text, "\n")
}

var writtenBreak = regexp.MustCompile(`\\n?[ \t]*\n`)

// called is what messages call it, in each language.
func (c code) called() fact.Either { return fact.Either{c.what, c.path} }

// lineOf is the line of the file in which a line of the Lua is, which is counted from 1.
func (c code) lineOf(n int) int {
	if c.lines > 0 {
		n = min(n, c.lines)
	}
	return min(max(c.line+n-1, 1), len(c.in.lines))
}

// codePlace is the first line of a piece of Lua.
func (d *decoder) codePlace(c code) lessons.Place {
	at := d.place(c.at)
	if c.in == d.file && at.Line == c.line || c.line > len(c.in.lines) {
		return at
	}
	at.File = c.in.path
	line := []rune(c.in.lines[c.line-1])
	at.Line, at.EndCol = c.line, len(line)+1
	at.Col = 1 + len(line) - len([]rune(strings.TrimLeft(string(line), " \t")))
	return at
}

// luaFile reads Lua from a file of a library. A mistake is reported at n.
func (d *decoder) luaFile(from Library, n ast.Node, what, name string, most int64) (code, bool) {
	text, err := from.read(name, most)
	switch {
	case err == nil && strings.TrimSpace(text) == "":
		d.fail(n, lessons.CodeLua, fact.Of("lesson-empty-value", from.shown(name)), fact.Of("lesson-write-lua"))
	case err != nil:
		d.fail(n, lessons.CodeFile, fact.Of("lesson-file-unread", from.shown(name), err), fact.Fact{})
	case !utf8.ValidString(text):
		d.note(newSource(from.shown(name), text).badText())
	case strings.HasPrefix(text, mark):
		d.note(newSource(from.shown(name), text).at(lessons.CodeFile, 1, 1, endOfLine,
			fact.Of("lesson-byte-order-mark"), fact.Of("lesson-save-without-mark")))
	default:
		in := newSource(from.shown(name), text)
		if p := in.unseen(); p != nil {
			d.note(p)
			break
		}
		return code{what: what, path: path.Base(name), source: text, in: in, line: 1, at: n}, true
	}
	return code{}, false
}

// compile reports a mistake in a piece of Lua at its own line.
func (d *decoder) compile(c code) {
	_, err := luaexec.Compile(c.what, c.source)
	var syntax *luaexec.SyntaxError
	if !errors.As(err, &syntax) {
		d.refuse(c)
		return
	}
	message := openedAt.ReplaceAllStringFunc(syntax.Message, func(at string) string {
		n, _ := strconv.Atoi(openedAt.FindStringSubmatch(at)[1]) // counted from the start of the Lua
		return fmt.Sprintf("at line %d", c.lineOf(n))
	})
	line := c.lineOf(syntax.Line)
	col, end := syntax.Columns(c.in.lines[line-1])
	if at := d.place(c.at); end == 0 && c.in == d.file && at.Line == line {
		col, end = at.Col, at.EndCol // the Lua does not begin its line
	}
	d.note(c.in.at(lessons.CodeLua, line, col, end, fact.Of("lesson-not-lua", c.called(), message), luaAdvice(syntax.Message)))
}

// openedAt matches the line of an unclosed construct in the compiler's messages.
var openedAt = regexp.MustCompile(`at line ([0-9]+)`)

// luaAdvice helps with syntax of other languages, and with code that ends too early.
func luaAdvice(message string) fact.Fact {
	switch {
	case strings.HasSuffix(message, "near '<eof>'"):
		return fact.Of("lua-ends-early")
	case strings.HasSuffix(message, "near '!'"):
		return fact.Of("lua-not-equal")
	case strings.HasPrefix(message, "'=' expected near '+'"), strings.HasPrefix(message, "'=' expected near '-'"):
		return fact.Of("lua-no-increment")
	case strings.HasSuffix(message, "near '{'"), strings.HasSuffix(message, "near '}'"):
		return fact.Of("lua-blocks")
	}
	return fact.Fact{}
}

// refuse reports the commands that are not portable between servers, each at its line.
func (d *decoder) refuse(c code) {
	for _, r := range portable.In(c.source, !strings.HasPrefix(c.what, "the script ")) {
		line := c.lineOf(r.Line)
		text := c.in.lines[line-1]
		word, _, _ := strings.Cut(r.What, " ")
		at := max(strings.Index(strings.ToLower(text), strings.ToLower(word)), 0)
		col := 1 + utf8.RuneCountInString(text[:at])
		d.note(c.in.at(lessons.CodeRefused, line, col, col+len(word), fact.Of("lesson-may-not-use", c.called(), r.What, r.Why), fact.Fact{}))
	}
}

func (d *decoder) compileExpression(c code, advice fact.Fact) {
	if _, err := luaexec.Compile("rule", "return ("+c.source+"\n)"); err != nil {
		d.fail(c.at, lessons.CodeLua, fact.Of("lesson-no-expression"), advice)
	}
}
