package portable

import (
	"slices"

	"lockstep/luaexec/syntax"
)

// Spelled finds the first place where a script examines the text of a name from KEYS: on a shared
// server it would see the session's prefix. line is 0 if there is none.
func Spelled(text string) (what string, line int) {
	s := sourceOf(text)
	return s.spelled, s.spelledAt
}

// speller follows the names from KEYS through a source. Variables of one name count as one, whatever
// their scope.
type speller struct {
	*source
	tree      *syntax.Tree
	names     map[string]bool             // variables that hold names of keys
	functions map[string]*syntax.Function // of the source's own
	grown     bool
}

// spell looks for uses of names as texts.
func (s *source) spell(tree *syntax.Tree) {
	p := &speller{source: s, tree: tree, names: map[string]bool{}, functions: map[string]*syntax.Function{}}
	for p.grown = true; p.grown; {
		p.grown = false
		for _, statement := range tree.Statements {
			p.follow(statement)
		}
		for _, e := range tree.Exprs {
			p.pass(e)
		}
	}
	for _, e := range tree.Exprs {
		p.judge(e)
	}
}

// isKeys tells whether an expression is KEYS itself.
func isKeys(e *syntax.Expr) bool { return e.Kind == syntax.Variable && e.Text == "KEYS" }

// isName tells whether an expression is the name of a key, or made from one.
func (p *speller) isName(e *syntax.Expr) bool {
	switch e = e.Bare(); {
	case e.Kind == syntax.Variable:
		return p.names[e.Text]
	case e.Kind == syntax.Index:
		return isKeys(e.Object)
	case e.Op == syntax.TokConcat || e.Op == syntax.TokAnd || e.Op == syntax.TokOr:
		return p.anyName(e.Args)
	case e.Kind == syntax.Call:
		library, name := called(e)
		return (library+name == "tostring" || library == "string" && name == "format") && p.anyName(e.Args)
	}
	return false
}

func (p *speller) anyName(args []*syntax.Expr) bool {
	return slices.ContainsFunc(args, p.isName)
}

// called is what a call calls: a function of a library or of none.
func called(c *syntax.Expr) (library, name string) {
	switch f := c.Object.Bare(); {
	case f.Kind == syntax.Variable:
		return "", f.Text
	case f.Kind == syntax.Index && f.Object.Kind == syntax.Variable && f.Key.Kind == syntax.StringValue:
		return f.Object.Text, f.Key.Text
	}
	return "", ""
}

// follow notes the variables to which names are passed on by a statement.
func (p *speller) follow(s *syntax.Statement) {
	names := assigned(s)
	switch {
	case s.Body > 0:
		if overKeys(s.Values) && len(names) > 1 {
			p.hold(names[1])
		}
		return
	case overKeys(s.Values): // local a, b = unpack(KEYS)
		for _, name := range names {
			p.hold(name)
		}
		return
	}
	for i, v := range s.Values[:min(len(s.Values), len(names))] {
		if v.Kind == syntax.FunctionValue {
			p.functions[names[i]] = v.Fn
		}
		if p.isName(v) {
			p.hold(names[i])
		}
	}
}

// pass notes the parameters to which names are passed on by a call.
func (p *speller) pass(e *syntax.Expr) {
	if e.Kind != syntax.Call {
		return
	}
	_, name := called(e)
	fn := p.functions[name]
	for i, arg := range e.Args {
		if fn != nil && i < len(fn.Params) && p.isName(arg) {
			p.hold(fn.Params[i])
		}
	}
}

// overKeys tells whether values are those of ipairs(KEYS), pairs(KEYS) or unpack(KEYS).
func overKeys(values []*syntax.Expr) bool {
	return len(values) == 1 && values[0].Kind == syntax.Call && len(values[0].Args) > 0 && isKeys(values[0].Args[0])
}

func (p *speller) hold(name string) {
	p.grown = p.grown || !p.names[name]
	p.names[name] = true
}

// texts are the libraries whose functions read what they are given, letter by letter.
var texts = map[string]bool{"string": true, "cjson": true, "cmsgpack": true, "struct": true}

// judge notes the first use of a name as a text.
func (p *speller) judge(e *syntax.Expr) {
	switch {
	case e.Op == '#':
		if p.isName(e.Args[0]) {
			p.note("#", e)
		}
	case e.Op.IsComparison():
		if a, b := e.Args[0], e.Args[1]; p.isName(a) != p.isName(b) && !isNil(a) && !isNil(b) {
			p.note(e.Op.String(), e)
		}
	case e.Kind == syntax.Call:
		library, name := called(e)
		reads := texts[library] && !(library == "string" && name == "format") || library+"."+name == "redis.sha1hex" || library+name == "tonumber"
		if reads && (p.anyName(e.Args) || len(e.Args) > 0 && isKeys(e.Args[0])) {
			p.note(name, e)
		}
		if f := e.Object; f.Kind == syntax.MethodIndex && p.isName(f.Object) {
			p.note(f.Key.Text, e)
		}
	}
}

func isNil(e *syntax.Expr) bool {
	return e.Kind == syntax.Nil || e.Kind == syntax.False || e.Kind == syntax.True
}

func (p *speller) note(what string, at *syntax.Expr) {
	if p.spelledAt == 0 {
		p.spelled, p.spelledAt = what, p.tree.Line(at)
	}
}
