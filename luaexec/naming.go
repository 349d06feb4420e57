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

// gopher-lua says that a value was wrong, Lua 5.1 also which variable held it. What
// that is called follows from Lua's own code for the same source: of the places on
// the line that do what failed, it is the one whose operand is as wrong as the
// message says.

// sources are the functions of a program with what Lua 5.1 would make of them.
type sources map[*lua.FunctionProto]*syntax.Proto

func (s sources) pair(proto *lua.FunctionProto, code *syntax.Proto) {
	if code == nil {
		return
	}
	s[proto] = code
	for i, inner := range proto.FunctionPrototypes {
		s.pair(inner, code.Inner(i))
	}
}

// complaint is a message about an operand.
type complaint struct {
	pattern *regexp.Regexp
	ops     func(match []string) []syntax.Operation
	verb    string
	key     int // the group of the pattern with the key
	types   []int
}

func does(ops ...syntax.Operation) func([]string) []syntax.Operation {
	return func([]string) []syntax.Operation { return ops }
}

var arithmeticNames = map[string]syntax.Operation{
	"add": syntax.Add, "sub": syntax.Sub, "mul": syntax.Mul, "div": syntax.Div, "mod": syntax.Mod, "pow": syntax.Pow,
}

var complaints = []complaint{
	{regexp.MustCompile(`^attempt to index a non-table object\((\w+)\) with key '(.*)'$`), does(syntax.Index), "index", 2, []int{1}},
	{regexp.MustCompile(`^attempt to call a non-function object$`), does(syntax.Call), "call", 0, nil},
	{regexp.MustCompile(`^cannot perform (\w+) operation between (\w+) and (\w+)$`), func(match []string) []syntax.Operation {
		return []syntax.Operation{arithmeticNames[match[1]]}
	}, "perform arithmetic on", 0, []int{2, 3}},
	{regexp.MustCompile(`^__unm undefined$`), does(syntax.Minus), "perform arithmetic on", 0, nil},
	{regexp.MustCompile(`^attempt to index a (\w+) value$`), does(syntax.SetIndex), "index", 0, []int{1}},
	{regexp.MustCompile(`^attempt to get length of a (\w+) value$`), does(syntax.Length), "get length of", 0, []int{1}},
	{regexp.MustCompile(`^attempt to concatenate a (\w+) value$`), does(syntax.Concat), "concatenate", 0, nil},
}

// Knows has messages name the variables of sources.
func (s *Sandbox) Knows(all ...*Statements) {
	s.chunks, s.sources = map[string]string{}, sources{}
	for _, one := range all {
		s.chunks[one.chunk] = one.chunk
		maps.Copy(s.sources, one.sources)
	}
}

// Say words the message of an error as Lua 5.1 does. It is for the Panic of a state,
// which is called where the error is raised.
func (s *Sandbox) Say(L *lua.LState, message string) string { return s.say(L, message, 0) }

// say words a message that is about to be raised as Lua 5.1 does. level is that of
// the function that raises it.
func (s *Sandbox) say(L *lua.LState, message string, level int) string {
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

// cutPosition takes "user_script:3: ", or the like of a chunk that was loaded, off a
// message.
func (s *Sandbox) cutPosition(message string) (chunk string, line int, rest string, ok bool) {
	from := 0
	if strings.HasPrefix(message, `[string "`) {
		from = max(0, strings.Index(message, `"]:`))
	}
	colon := strings.Index(message[from:], ":")
	if colon < 0 {
		return "", 0, "", false
	}
	chunk = message[:from+colon]
	if _, loaded := s.chunks[chunk]; !loaded && chunk != chunkName {
		return "", 0, "", false
	}
	number, rest, ok := strings.Cut(message[from+colon+1:], ": ")
	line, err := strconv.Atoi(number)
	return chunk, line, rest, ok && err == nil
}

// named is the end of the message with the name of the operand, and the line of the
// operation; ok is false if no place on the line can have raised it.
func (c *complaint) named(f *frame, match []string, line int) (at int, text string, ok bool) {
	var best *syntax.Site
	culprit := 0
	for _, op := range c.ops(match) {
		for _, site := range f.code.Sites(op) {
			if c.key > 0 && site.Key != "" && site.Key != match[c.key] || best != nil && distance(best.Line, line) <= distance(site.Line, line) {
				continue
			}
			if i, ok := c.culprit(f, &site, match); ok {
				best, culprit = &site, i
			}
		}
	}
	if best == nil {
		return 0, "", false
	}
	o := best.Operands[culprit]
	v, known := o.Value(f)
	typ := lua.LTNil.String()
	switch {
	case known:
		typ = typeOf(v)
	case len(c.types) == 1:
		typ = match[c.types[0]]
	case len(c.types) == 2:
		typ = match[c.types[culprit]]
	case c.verb == "concatenate":
		typ = match[1]
	}
	kind, name := o.Name()
	if kind == "" {
		return best.Line, fmt.Sprintf("%s a %s value", c.verb, typ), true
	}
	return best.Line, fmt.Sprintf("%s %s '%s' (a %s value)", c.verb, kind, name, typ), true
}

func distance(a, b int) int { return max(a-b, b-a) }

// culprit is the operand of a place that was wrong; ok is false if it cannot have
// been this place.
func (c *complaint) culprit(f *frame, site *syntax.Site, match []string) (int, bool) {
	for i, o := range site.Operands {
		v, known := o.Value(f)
		if !known {
			continue
		}
		if i < len(c.types) && typeOf(v) != match[c.types[i]] && !(match[c.types[i]] == "number" && isNumeric(v)) {
			return 0, false // a text that is a number has become one before gopher-lua complains
		}
		if c.verb == "call" && callable(v) || c.verb == "perform arithmetic on" && len(site.Operands) == 1 && isNumeric(v) {
			return 0, false
		}
	}
	switch c.verb {
	case "perform arithmetic on":
		for i, o := range site.Operands {
			v, known := o.Value(f)
			if known && !isNumeric(v) || !known && len(c.types) == 2 && match[c.types[i]] != "number" {
				return i, true
			}
		}
		return len(site.Operands) - 1, len(c.types) != 2
	case "concatenate":
		return concatCulprit(f, site, match[1])
	}
	return 0, true
}

// concatCulprit is the operand that a concatenation, which goes from right to left,
// meets first and cannot join.
func concatCulprit(f *frame, site *syntax.Site, typ string) (int, bool) {
	unknown := -1
	for i, o := range slices.Backward(site.Operands) {
		v, known := o.Value(f)
		switch {
		case known && typeOf(v) == typ:
			return i, true
		case !known && unknown < 0:
			unknown = i
		}
	}
	return unknown, unknown >= 0
}

func callable(v any) bool {
	_, ok := v.(*lua.LFunction)
	return ok
}

func isNumeric(v any) bool {
	value, ok := v.(lua.LValue)
	if !ok {
		return false
	}
	_, ok = asNumber(value)
	return ok
}

func typeOf(v any) string {
	if value, ok := v.(lua.LValue); ok {
		return value.Type().String()
	}
	return lua.LTNil.String()
}
