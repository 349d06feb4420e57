package portable

import (
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// source is what a piece of Lua says of itself without being run.
type source struct {
	calls   []call
	names   map[string]int // of fields and globals, with the line of the first
	refused []Refusal      // those of the text itself
	depends bool           // its arguments, or the data that it finds, may be refused as well

	spelled   string // its use of the text of a name from KEYS, which has a prefix on a shared server
	spelledAt int    // the line of that; 0: there is none

	clock []site // its calls that read the clock, in the order of the text

	logs int // the line on which it could write to the log of the server; 0: none
}

// call is a call of a command whose name stands there.
type call struct {
	name  string   // in lower case
	words []string // in capitals: the arguments that stand there too
	line  int
}

// read takes a source apart. A source that does not compile has nothing to refuse: running it tells
// what is wrong.
func read(text string) *source {
	s := &source{names: map[string]int{}}
	text = strings.TrimRight(text, " \t\r\n")
	shift := 0
	if strings.HasPrefix(text, "#!") {
		first, rest, _ := strings.Cut(text, "\n")
		text, shift = "\n"+rest, len(first)
	}
	tree, err := syntax.Parse(text, "")
	if err != nil {
		return s
	}
	r := &reader{source: s, tree: tree, callers: map[string]bool{}, shift: shift}
	for _, statement := range tree.Statements {
		r.alias(statement)
	}
	for _, e := range tree.Exprs {
		r.call(e)
		r.note(e)
	}
	slices.SortFunc(s.clock, func(a, b site) int { return a.start - b.start })
	s.spell(tree)
	s.log(tree)
	return s
}

// reader fills a source in.
type reader struct {
	*source
	tree    *syntax.Tree
	callers map[string]bool // variables that are redis.call
	shift   int             // how many bytes of the text stand before the tree's source
}

// alias finds variables that are redis.call.
func (r *reader) alias(s *syntax.Statement) {
	names := assigned(s)
	for i, v := range s.Values {
		if i < len(names) && isCall(v) {
			r.callers[names[i]] = true
		}
	}
}

// assigned are the variables that a statement gives values to; none if it assigns to
// something else too.
func assigned(s *syntax.Statement) []string {
	names := s.Names
	for _, t := range s.Targets {
		if t.Kind != syntax.Variable {
			return nil
		}
		names = append(names, t.Text)
	}
	return names
}

// isCall tells whether an expression is redis.call or redis.pcall, by whatever name
// the table goes.
func isCall(e *syntax.Expr) bool {
	e = e.Bare()
	return e.Kind == syntax.Index && e.Key.Kind == syntax.StringValue && (e.Key.Text == "call" || e.Key.Text == "pcall")
}

func (r *reader) isCaller(e *syntax.Expr) bool {
	e = e.Bare()
	return isCall(e) || e.Kind == syntax.Variable && r.callers[e.Text]
}

// call notes a call of a command whose name stands there.
func (r *reader) call(e *syntax.Expr) {
	if e.Kind != syntax.Call {
		return
	}
	args, callee := e.Args, e.Object
	if library, name := called(e); library == "" && name == "pcall" && len(args) > 0 && r.isCaller(args[0]) {
		callee, args = args[0], args[1:] // pcall(redis.call, …)
	} else if !r.isCaller(e.Object) {
		return
	}
	if len(args) == 0 || args[0].Kind != syntax.StringValue {
		return
	}
	found := call{name: strings.ToLower(args[0].Text), line: r.tree.Line(e)}
	for _, arg := range args[1:] {
		if arg.Kind == syntax.StringValue {
			found.words = append(found.words, strings.ToUpper(arg.Text))
		}
	}
	r.noteClock(found, callee.Bare())
	r.calls = append(r.calls, found)
}

// note notes names of globals and fields: a script may call a local whatever it likes.
func (r *reader) note(e *syntax.Expr) {
	name := ""
	switch {
	case e.Kind == syntax.Variable && e.Local == nil:
		name = e.Text
	case e.Kind == syntax.Index && e.Key.Kind == syntax.StringValue:
		name = e.Key.Text
	}
	if _, ok := r.names[name]; name != "" && !ok {
		r.names[name] = r.tree.Line(e)
	}
}
