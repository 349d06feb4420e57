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

	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/luaexec/portable"
)

// mostLua bounds a script or a program, and mostClient a lock client, in bytes.
const (
	mostLua    = 16 << 10
	mostClient = 64 << 10
)

// code is a piece of Lua and where its lines stand.
type code struct {
	source string
	in     *source
	line   int      // of the code's first line in the file
	at     ast.Node // where the lesson has it, or names its file
}

// code reads Lua that stands in the lesson itself.
func (d *decoder) code(n ast.Node, what string) (code, bool) {
	text, ok := d.text(n, what, "write it after |, indented, on lines of its own")
	if !ok {
		return code{}, false
	}
	line := d.place(n).Line
	c := code{source: text, in: d.file, line: line, at: n}
	switch n := n.(type) {
	case *ast.LiteralNode:
		if strings.HasPrefix(n.Start.Value, ">") {
			d.fail(n, lessons.CodeLua, what+" is folded into one line by >", "write | instead")
			return code{}, false
		}
		c.line = line + 1
	case *ast.StringNode:
		if strings.Contains(strings.TrimSpace(n.Token.Origin), "\n") {
			d.fail(n, lessons.CodeLua, what+" has several lines, which YAML folds into one here", "write | behind the colon, and the Lua on the lines below it")
			return code{}, false
		}
	}
	switch {
	case strings.TrimSpace(text) == "":
		d.fail(n, lessons.CodeLua, what+" is empty", "write some Lua")
		return code{}, false
	case len(text) > mostLua:
		d.fail(n, lessons.CodeLimit, fmt.Sprintf("%s has %d bytes, and %d are allowed", what, len(text), mostLua), "make it shorter")
		return code{}, false
	}
	return c, true
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
func (d *decoder) luaFile(from Library, n ast.Node, name string, most int64) (code, bool) {
	text, err := from.read(name, most)
	switch {
	case err == nil && strings.TrimSpace(text) == "":
		d.fail(n, lessons.CodeLua, from.shown(name)+" is empty", "write some Lua")
	case err != nil:
		d.fail(n, lessons.CodeFile, fmt.Sprintf("%s: %v", from.shown(name), err), "")
	case !utf8.ValidString(text):
		d.fail(n, lessons.CodeFile, from.shown(name)+" is not UTF-8 text", "save the file as UTF-8")
	default:
		return code{source: text, in: newSource(from.shown(name), text), line: 1, at: n}, true
	}
	return code{}, false
}

// compile reports a mistake in a piece of Lua at its own line.
func (d *decoder) compile(c code, what string) {
	_, err := luaexec.Compile(what, c.source)
	var syntax *luaexec.SyntaxError
	if !errors.As(err, &syntax) {
		d.refuse(c, what)
		return
	}
	message := openedAt.ReplaceAllStringFunc(syntax.Message, func(at string) string {
		n, _ := strconv.Atoi(openedAt.FindStringSubmatch(at)[1]) // a line of the Lua alone
		return fmt.Sprintf("at line %d", c.line+n-1)
	})
	line := min(max(c.line+syntax.Line-1, 1), len(c.in.lines))
	col, end := syntax.Columns(c.in.lines[line-1])
	if at := d.place(c.at); end == 0 && c.in == d.file && at.Line == line {
		col, end = at.Col, at.EndCol // it stands behind other things in its line
	}
	d.note(c.in.at(lessons.CodeLua, line, col, end, what+" is not Lua: "+message, luaAdvice(syntax.Message)))
}

// openedAt is what the compiler says of what is not closed.
var openedAt = regexp.MustCompile(`at line ([0-9]+)`)

// luaAdvice is for what other languages write.
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

// refuse reports what servers would do each in its own way, at its own line.
func (d *decoder) refuse(c code, what string) {
	for _, r := range portable.In(c.source, !strings.HasPrefix(what, "the script ")) {
		line := min(max(c.line+r.Line-1, 1), len(c.in.lines))
		text := c.in.lines[line-1]
		word, _, _ := strings.Cut(r.What, " ")
		at := max(strings.Index(strings.ToLower(text), strings.ToLower(word)), 0)
		col := 1 + utf8.RuneCountInString(text[:at])
		d.note(c.in.at(lessons.CodeRefused, line, col, col+len(word), what+" may not use "+r.What+": "+r.Why, ""))
	}
}

func (d *decoder) compileExpression(c code, advice string) {
	if _, err := luaexec.Compile("rule", "return ("+c.source+"\n)"); err != nil {
		d.fail(c.at, lessons.CodeLua, "this is no Lua expression", advice)
	}
}

func (d *decoder) client(t table) {
	n := t.get("client")
	if n == nil {
		return
	}
	name, ok := d.text(n, "the client", "write the name of a file in clients/, without .lua")
	if !ok {
		return
	}
	if known := d.library.clients(); !slices.Contains(known, name) {
		d.unknown(n, fmt.Sprintf("there is no client %q", name), name, known)
		return
	}
	owner, own := d.library.clientOwner(name)
	c, ok := d.luaFile(owner, n, ClientFile(name), mostClient)
	if !ok {
		return
	}
	d.compile(c, "the client "+name)
	d.lesson.Client = lessons.Client{Name: name, Source: c.source}
	d.declare("client", name, n)
	if own {
		d.lesson.Client.File = c.in.path
	}
}

var luaName = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\.lua$`)

func (d *decoder) scripts(n ast.Node) {
	const advice = "write scripts: {lock: {file: lock.lua, keys: [key], args: [owner]}}"
	ps := d.pairs(n, "scripts", advice)
	for i, p := range ps {
		if i == mostScripts {
			d.fail(p.at, lessons.CodeLimit, fmt.Sprintf("a lesson may have %d scripts, and this one has %d", mostScripts, len(ps)), "leave some out")
			return
		}
		name, ok := d.name(p, "a script")
		if !ok {
			continue
		}
		t := d.table(p.value, "the script "+name, advice, scriptKeys)
		s := lessons.Script{Name: name}
		c, ok := d.scriptSource(t, name)
		if !ok {
			continue
		}
		d.compile(c, "the script "+name)
		s.Source, s.File, s.Place = c.source, c.in.path, d.codePlace(c)
		if n := t.get("keys"); n != nil {
			d.declare("keys", name, t.values["keys"].at)
			s.Keys = d.meanings(n, "keys", "write what each of KEYS means: keys: [lock]")
		}
		if n := t.get("args"); n != nil {
			d.declare("args", name, t.values["args"].at)
			s.Args = d.meanings(n, "args", "write what each of ARGV means: args: [owner, lease]")
		}
		d.declare("script", name, p.at)
		d.lesson.Scripts = append(d.lesson.Scripts, s)
	}
}

// meanings reads words for people: plain ones, which are the same in every language,
// or {en: …, zh: …}.
func (d *decoder) meanings(n ast.Node, what, advice string) []lessons.Text {
	out := []lessons.Text{}
	for _, item := range d.items(n, what, advice, mostMeanings) {
		if _, ok := item.(*ast.MappingNode); ok {
			out = append(out, d.bilingual(item, "an item of "+what))
		} else if text, ok := d.text(item, "an item of "+what, advice); ok {
			out = append(out, lessons.Text{En: text, Zh: text})
		}
	}
	return out
}

// scriptSource reads the one of file and source that is there.
func (d *decoder) scriptSource(t table, name string) (code, bool) {
	if _, ok := t.at.(*ast.MappingNode); !ok {
		return code{}, false
	}
	switch {
	case t.has("file") && t.has("source"):
		d.fail(t.values["source"].at, lessons.CodeValue, "the script "+name+" has a file and a source", "keep one of them")
		return code{}, false
	case !t.has("file") && !t.has("source"):
		d.fail(t.at, lessons.CodeMissingKey, "the script "+name+" needs one of file and source", "write file: "+name+".lua, or source: and the Lua after |")
		return code{}, false
	case t.has("source"):
		return d.code(t.get("source"), "the script "+name)
	}
	n := t.get("file")
	file, ok := d.text(n, "file", "write the name of a file beside the lesson")
	if !ok {
		return code{}, false
	}
	if !luaName.MatchString(file) {
		d.fail(n, lessons.CodeFile, fmt.Sprintf("%q is no file beside the lesson", file), "write a name such as lock.lua, without a folder")
		return code{}, false
	}
	if known := d.library.luaFiles(d.dir); !slices.Contains(known, file) {
		d.fail(n, lessons.CodeFile, fmt.Sprintf("there is no file %s beside the lesson", file), lessons.DidYouMean(file, known))
		return code{}, false
	}
	return d.luaFile(d.library, n, path.Join(d.dir, file), mostLua)
}

func (d *decoder) actors(n ast.Node) {
	const advice = "write actors: {A: {process: jvm-1, program: …}}"
	ps := d.pairs(n, "actors", advice)
	if _, ok := n.(*ast.MappingNode); ok && len(ps) == 0 {
		d.fail(n, lessons.CodeValue, "a lesson needs at least one actor", advice)
	}
	for i, p := range ps {
		if i == mostActors {
			d.fail(p.at, lessons.CodeLimit, fmt.Sprintf("a lesson may have %d actors, and this one has %d", mostActors, len(ps)), "leave some out")
			return
		}
		name := p.key
		d.name(p, "an actor") // an actor with mistakes still counts, or every line that names it would be one too
		a := lessons.Actor{Name: name, Process: name}
		d.declare("actor", name, p.at)
		t := d.table(p.value, "the actor "+name, advice, actorKeys)
		if n := t.get("process"); n != nil {
			if text, ok := d.text(n, "the process", "write a name such as jvm-1"); ok {
				a.Process, _ = d.name(pair{key: text, at: n}, "a process")
			}
		}
		if n := t.get("program"); n != nil {
			if c, ok := d.code(n, "the program of "+name); ok {
				d.compile(c, "the program of "+name)
				a.Program, a.Place = c.source, d.codePlace(c)
			}
		}
		d.lesson.Actors = append(d.lesson.Actors, a)
		if !slices.Contains(d.processes, a.Process) {
			d.processes = append(d.processes, a.Process)
		}
	}
}
