package luaexec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/luaexec/syntax"
)

// gopher-lua says that a value was wrong, Lua 5.1 also which variable held it. That is
// what the source says: of the places on the line that do what failed, it is the first
// whose operands can have been as wrong as the message says.

// sources are where the functions of a program stand. A tree takes many times the
// memory of its source: it is made again when something fails.
type sources map[*lua.FunctionProto]origin

// origin is a function of a source, by the order in which they begin.
type origin struct {
	source string
	index  int
}

// add adds a function of a source, which is the index-th to begin there, and those inside of it.
// It returns the index of the next one after them.
func (s sources) add(source string, proto *lua.FunctionProto, index int) int {
	s[proto] = origin{source, index}
	index++
	for _, inner := range proto.FunctionPrototypes {
		index = s.add(source, inner, index)
	}
	return index
}

// function is what a source says of a function; nil if that is not known. It is paid for
// like what a library does.
func (s *Sandbox) function(L *lua.LState, proto *lua.FunctionProto) *syntax.Function {
	at, ok := s.sources[proto]
	if !ok {
		return nil
	}
	if s.read == nil || s.read.Source != at.source {
		if !budgetOf(L).Charge(int64(len(at.source))) {
			return nil
		}
		tree, err := syntax.Parse(at.source, "")
		if err != nil {
			return nil
		}
		s.read = tree
	}
	if at.index >= len(s.read.Functions) {
		return nil
	}
	return s.read.Functions[at.index]
}

// complaint is a message about an operand. The groups of its pattern are counted from 1.
type complaint struct {
	pattern *regexp.Regexp
	op      syntax.Action // empty if the first group is the operation
	verb    string
	key     int // the group with the key, 0 for none
	types   []int
}

var complaints = []complaint{
	{regexp.MustCompile(`^attempt to index a non-table object\((\w+)\) with key '(.*)'$`), syntax.GetIndex, "index", 2, []int{1}},
	{regexp.MustCompile(`^attempt to call a non-function object$`), syntax.DoCall, "call", 0, nil},
	{regexp.MustCompile(`^cannot perform (\w+) operation between (\w+) and (\w+)$`), "", arithmeticVerb, 0, []int{2, 3}},
	{regexp.MustCompile(`^__unm undefined$`), syntax.Minus, arithmeticVerb, 0, nil},
	{regexp.MustCompile(`^attempt to index a (\w+) value$`), syntax.SetIndex, "index", 0, []int{1}},
	{regexp.MustCompile(`^attempt to get length of a (\w+) value$`), syntax.Length, "get length of", 0, []int{1}},
	{regexp.MustCompile(`^attempt to concatenate a (\w+) value$`), syntax.Join, "concatenate", 0, nil},
}

const arithmeticVerb = "perform arithmetic on"

// Knows has messages name the variables of sources.
func (s *Sandbox) Knows(all ...*Statements) {
	s.chunks, s.sources = map[string]bool{}, sources{}
	for _, one := range all {
		s.chunks[one.chunk] = true
		maps.Copy(s.sources, one.sources)
	}
}

// Say words a message that is about to be raised as Lua 5.1 does. level is that of
// the function that raises it: 0 in the Panic of a state.
func (s *Sandbox) Say(L *lua.LState, message string, level int) string {
	chunk, position, rest, ok := s.cutPosition(message)
	if !ok || !strings.HasPrefix(rest, "attempt to ") && !strings.HasPrefix(rest, "cannot perform ") && rest != "__unm undefined" {
		return asLuaSays(message)
	}
	for i := range complaints {
		c := &complaints[i]
		match := c.pattern.FindStringSubmatch(rest)
		if match == nil {
			continue
		}
		f := s.frame(L, level)
		if f == nil {
			continue
		}
		if line, named, ok := c.named(f, match, position); ok {
			return fmt.Sprintf("%s:%d: attempt to %s", chunk, line, named)
		}
	}
	return asLuaSays(message)
}

// cutPosition takes "user_script:3: ", or the like of another source, off a message.
func (s *Sandbox) cutPosition(message string) (chunk string, line int, rest string, ok bool) {
	chunk, after, _ := strings.Cut(message, ":")
	if !s.chunks[chunk] && chunk != chunkName {
		return "", 0, "", false
	}
	number, rest, ok := strings.Cut(after, ": ")
	line, err := strconv.Atoi(number)
	return chunk, line, rest, ok && err == nil
}

// named is the end of the message with the name of the operand, and the line of the
// operation; ok is false if no place on the line can have raised it.
func (c *complaint) named(f *frame, match []string, line int) (at int, text string, ok bool) {
	op := c.op
	if op == "" {
		op = syntax.Action(match[1])
	}
	var best *syntax.Site
	culprit := 0
	for _, site := range f.source.Sites {
		if site.Op != op || best != nil && distance(best.Line, line) <= distance(site.Line, line) || !c.hasKey(f, site, match) {
			continue
		}
		if i, ok := c.culprit(f, site, match); ok {
			best, culprit = site, i
		}
	}
	if best == nil {
		return 0, "", false
	}
	v, known := f.value(best.Operands[culprit])
	typ := lua.LTNil.String()
	switch {
	case known:
		typ = v.Type().String()
	case len(c.types) > 0:
		typ = match[c.types[culprit]]
	case op == syntax.Join:
		typ = match[1]
	}
	kind, name := best.Operands[culprit].Name()
	if kind == "" {
		return best.Line, fmt.Sprintf("%s a %s value", c.verb, typ), true
	}
	return best.Line, fmt.Sprintf("%s %s '%s' (a %s value)", c.verb, kind, name, typ), true
}

func distance(a, b int) int { return max(a-b, b-a) }

// hasKey tells whether an index may have been with the key that the message names.
func (c *complaint) hasKey(f *frame, site *syntax.Site, match []string) bool {
	if c.key == 0 {
		return true
	}
	key, known := f.value(site.Key)
	return !known || lua.LVAsString(key) == match[c.key] || key.Type() != lua.LTString && key.Type() != lua.LTNumber
}

// culprit is the operand of a place that was wrong; ok is false if it cannot have
// been this place.
func (c *complaint) culprit(f *frame, site *syntax.Site, match []string) (int, bool) {
	wrong := -1
	for i, o := range site.Operands {
		v, known := f.value(o)
		if known && i < len(c.types) && v.Type().String() != match[c.types[i]] && !(match[c.types[i]] == "number" && isNumeric(v)) {
			return 0, false // a text that is a number has become one before gopher-lua complains
		}
		switch {
		case c.verb == "call" && known && v.Type() == lua.LTFunction:
		case c.verb == arithmeticVerb && known && isNumeric(v):
		case c.verb == arithmeticVerb && !known && len(c.types) > 0 && match[c.types[i]] == "number":
		case wrong < 0:
			wrong = i
		}
	}
	if site.Op == syntax.Join {
		return concatCulprit(f, site, match[1])
	}
	return wrong, wrong >= 0
}

// concatCulprit is the operand that a concatenation, which goes from right to left,
// meets first and cannot join.
func concatCulprit(f *frame, site *syntax.Site, typ string) (int, bool) {
	unknown := -1
	for i, o := range slices.Backward(site.Operands) {
		v, known := f.value(o)
		switch {
		case known && v.Type().String() == typ:
			return i, true
		case !known && unknown < 0:
			unknown = i
		}
	}
	return unknown, unknown >= 0
}

func isNumeric(v lua.LValue) bool {
	_, ok := asNumber(v)
	return ok
}
