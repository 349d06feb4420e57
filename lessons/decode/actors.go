package decode

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/node/redis/portable"
)

// mostLua bounds a script or a program, and mostClient a lock client, in bytes.
const (
	mostLua    = 16 << 10
	mostClient = 64 << 10
)

// code is a piece of Lua with its place.
type code struct {
	what   string
	source string
	in     *source
	line   int      // the number of its first line in the file
	at     ast.Node // the Lua in the lesson, or the name of its file
}

// code reads Lua inside the lesson's YAML.
func (d *decoder) code(t plainText) (c code, ok bool) {
	if !t.ok() {
		return code{}, false
	}
	c = code{what: t.what, source: t.text, in: d.file, line: d.place(t.node).Line, at: t.node}
	refuse := func(code lessons.Code, why, advice string) { d.fail(t.node, code, t.what+" "+why, advice) }
	literal, block := t.node.(*ast.LiteralNode)
	inline, _ := t.node.(*ast.StringNode)
	if block {
		c.line++
	}
	switch {
	case block && strings.HasPrefix(literal.Start.Value, ">"):
		refuse(lessons.CodeLua, "is folded into one line by >", "write | instead")
	case inline != nil && strings.Contains(strings.TrimSpace(inline.Token.Origin), "\n"):
		refuse(lessons.CodeLua, "has several lines, which YAML folds into one here", "write | behind the colon, and the Lua on the lines below it")
	case strings.TrimSpace(t.text) == "":
		refuse(lessons.CodeLua, "is empty", "write some Lua")
	case len(t.text) > mostLua:
		refuse(lessons.CodeLimit, fmt.Sprintf("has %d bytes, but at most %d are allowed", len(t.text), mostLua), "make it shorter")
	default:
		return c, true
	}
	return code{}, false
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
		d.fail(n, lessons.CodeLua, from.shown(name)+" is empty", "write some Lua")
	case err != nil:
		d.fail(n, lessons.CodeFile, fmt.Sprintf("%s: %v", from.shown(name), err), "")
	case !utf8.ValidString(text):
		d.fail(n, lessons.CodeFile, from.shown(name)+" is not UTF-8 text", "save the file as UTF-8")
	default:
		return code{what: what, source: text, in: newSource(from.shown(name), text), line: 1, at: n}, true
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
		return fmt.Sprintf("at line %d", c.line+n-1)
	})
	line := min(max(c.line+syntax.Line-1, 1), len(c.in.lines))
	col, end := syntax.Columns(c.in.lines[line-1])
	if at := d.place(c.at); end == 0 && c.in == d.file && at.Line == line {
		col, end = at.Col, at.EndCol // the Lua does not begin its line
	}
	d.note(c.in.at(lessons.CodeLua, line, col, end, c.what+" is not Lua: "+message, luaAdvice(syntax.Message)))
}

// openedAt matches the line of an unclosed construct in the compiler's messages.
var openedAt = regexp.MustCompile(`at line ([0-9]+)`)

// luaAdvice helps with syntax of other languages, and with code that ends too early.
func luaAdvice(message string) string {
	switch {
	case strings.HasSuffix(message, "near '<eof>'"):
		return "it ends too early: is an end or a bracket missing?"
	case strings.HasSuffix(message, "near '!'"):
		return "Lua writes ~= for not equal, and not for !"
	case strings.HasPrefix(message, "'=' expected near '+'"), strings.HasPrefix(message, "'=' expected near '-'"):
		return "Lua has no += and ++: write n = n + 1"
	case strings.HasSuffix(message, "near '{'"), strings.HasSuffix(message, "near '}'"):
		return "Lua has blocks of then or do and end; { } makes a table"
	}
	return ""
}

// refuse reports the commands that are not portable between servers, each at its line.
func (d *decoder) refuse(c code) {
	for _, r := range portable.In(c.source, !strings.HasPrefix(c.what, "the script ")) {
		line := min(max(c.line+r.Line-1, 1), len(c.in.lines))
		text := c.in.lines[line-1]
		word, _, _ := strings.Cut(r.What, " ")
		at := max(strings.Index(strings.ToLower(text), strings.ToLower(word)), 0)
		col := 1 + utf8.RuneCountInString(text[:at])
		d.note(c.in.at(lessons.CodeRefused, line, col, col+len(word), c.what+" may not use "+r.What+": "+r.Why, ""))
	}
}

func (d *decoder) compileExpression(c code, advice string) {
	if _, err := luaexec.Compile("rule", "return ("+c.source+"\n)"); err != nil {
		d.fail(c.at, lessons.CodeLua, "this is not a Lua expression", advice)
	}
}

func (d *decoder) client(f plainText) {
	if !f.ok() {
		return
	}
	name := f.text
	if known := d.library.clients(); !slices.Contains(known, name) {
		d.unknown(f.node, fmt.Sprintf("there is no client %q", name), name, known)
		return
	}
	owner, own := d.library.owner(ClientFile(name))
	c, ok := d.luaFile(owner, f.node, "the client "+name, ClientFile(name), mostClient)
	if !ok {
		return
	}
	d.compile(c)
	d.lesson.Client = lessons.Client{Name: name, Source: c.source}
	d.declare("client", name, f.node)
	if own {
		d.lesson.Client.File = c.in.path
	}
}

var (
	luaName      = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\.lua$`)
	clientScript = regexp.MustCompile(`^clients/([A-Za-z][A-Za-z0-9_-]*)/[A-Za-z][A-Za-z0-9_-]*\.lua$`) // clients/redisson/lock.lua
)

func (d *decoder) scripts(f *lessonForm) {
	for _, s := range f.Scripts.items {
		if !d.name(s.key, s.name, "a script") || !s.ok() {
			continue
		}
		c, ok := d.scriptSource(s)
		if !ok {
			continue
		}
		d.compile(c)
		d.declare("script", s.name, s.key)
		d.lesson.Scripts = append(d.lesson.Scripts, lessons.Script{
			Name: s.name, Source: c.source, File: c.in.path, Place: d.codePlace(c),
			Keys: d.meanings(s.Keys, s.name), Args: d.meanings(s.Args, s.name),
		})
	}
}

// meanings are the descriptions of a script's KEYS or ARGV; nil: the lesson gives none.
func (d *decoder) meanings(f listOf[meaningForm], script string) []lessons.Text {
	if !f.given() {
		return nil
	}
	d.declare(f.name, script, f.key)
	out := []lessons.Text{}
	for _, m := range f.items {
		out = append(out, m.both.both())
	}
	return out
}

// scriptSource reads a script's file or its source. Exactly one of them must be given.
func (d *decoder) scriptSource(f scriptForm) (code, bool) {
	name := f.File.text
	switch {
	case f.File.given() && f.Source.given():
		d.fail(f.Source.key, lessons.CodeValue, f.what+" has both a file and a source", "keep one of them")
	case !f.File.given() && !f.Source.given():
		d.fail(f.node, lessons.CodeMissingKey, f.what+" needs either a file or a source", "write file: "+f.name+".lua, or source: and the Lua after |")
	case f.Source.given():
		return d.code(f.Source)
	case !f.File.ok():
	case clientScript.MatchString(name):
		known := d.library.clientScripts(clientScript.FindStringSubmatch(name)[1])
		if !slices.Contains(known, name) {
			d.fail(f.File.node, lessons.CodeFile, fmt.Sprintf("there is no file %s beside the lessons, and none comes with the playground", name), lessons.DidYouMean(name, known))
			break
		}
		owner, _ := d.library.owner(name)
		return d.luaFile(owner, f.File.node, f.what, name, mostLua)
	case !luaName.MatchString(name):
		d.fail(f.File.node, lessons.CodeFile, fmt.Sprintf("%q is not a file beside the lesson", name), "write a name such as lock.lua, without a folder, or the script of a lock client, such as clients/redisson/lock.lua")
	default:
		if known := d.library.luaFiles(d.dir); !slices.Contains(known, name) {
			d.fail(f.File.node, lessons.CodeFile, fmt.Sprintf("there is no file %s beside the lesson", name), lessons.DidYouMean(name, known))
			break
		}
		return d.luaFile(d.library, f.File.node, f.what, path.Join(d.dir, name), mostLua)
	}
	return code{}, false
}

func (d *decoder) actors(f *lessonForm) {
	for i, a := range f.Actors.items {
		d.name(a.key, a.name, "an actor") // an actor with mistakes is declared all the same, or each mention of it would be a mistake
		d.declare("actor", a.name, a.key)
		n, all := equals(f.Actors.items, i)
		actor := lessons.Actor{Name: a.name, Process: a.name}
		process := d.processOf(a, n, all)
		if process.ok() && d.name(process.node, process.text, "a process") {
			actor.Process = process.text
		}
		before := d.found
		d.does(a, &actor)
		if n > 0 {
			d.found = before // what is wrong with it was told of the first of them
		}
		d.unlikeNodes(a, process, actor)
		d.lesson.Actors = append(d.lesson.Actors, actor)
		if !slices.Contains(d.processes, actor.Process) {
			d.processes = append(d.processes, actor.Process)
		}
	}
}

// does reads what an actor does, and how often.
func (d *decoder) does(f actorForm, actor *lessons.Actor) {
	if c, ok := d.code(f.Program); ok {
		d.compile(c)
		actor.Program, actor.Place = c.source, d.codePlace(c)
	}
	actor.Count = d.crowd(f.Count)
	if f.Count.ok() && slices.ContainsFunc(d.lesson.Nodes, connects) {
		d.fail(f.Count.node, lessons.CodeValue, "the clients of a crowd would share one connection to the database", "write actors of their own")
	}
}

// connects tells whether each actor has a connection of its own to a node.
func connects(n lessons.Node) bool {
	_, is := n.Kind.Row().New(n.Session).(engine.Connected)
	return is
}

const mostInCrowd = 99

// crowd reads the number of clients in a crowd; 0: the actor is no crowd.
func (d *decoder) crowd(t plainText) int {
	if !t.ok() {
		return 0
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 2 || n > mostInCrowd {
		d.fail(t.node, lessons.CodeValue, fmt.Sprintf("%q is not how many clients a crowd can have", t.text), fmt.Sprintf("write a number from 2 to %d", mostInCrowd))
		return 0
	}
	return n
}

// unlikeNodes reports an actor or a process with the name of a node: faults and statuses could not tell
// them apart.
func (d *decoder) unlikeNodes(f actorForm, process plainText, a lessons.Actor) {
	nodes := d.lesson.NodeNames()
	switch {
	case slices.Contains(nodes, a.Name):
		d.fail(f.key, lessons.CodeDuplicateName, fmt.Sprintf("%q is the name of a node, too", a.Name), "give the actor a name of its own")
	case slices.Contains(nodes, a.Process):
		d.fail(process.node, lessons.CodeDuplicateName, fmt.Sprintf("%q is the name of a node, too", a.Process), "give the process a name of its own")
	}
}
