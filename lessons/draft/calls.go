package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/luaexec/syntax"
)

// reading is what the text of a script shows; nothing is run.
type reading struct {
	tree     *syntax.Tree
	calls    []call
	keys     int                       // how many of KEYS it names
	args     int                       // how many of ARGV
	given    map[int]bool              // which of ARGV it looks at
	assigned map[string][]*syntax.Expr // what variables were given, anywhere
	named    map[place]string          // what the script itself calls them
	fixed    map[int]string            // values that ARGV are compared with
	madeOf   map[visit][]use           // what variables are made of, once somebody asked
}

// place is one of KEYS or of ARGV.
type place struct {
	arg bool
	n   int // from 1
}

// call is a command that the script calls, by a name that stands there.
type call struct {
	name string // in lower case
	args []*syntax.Expr
	expr *syntax.Expr
}

func read(source string) *reading {
	tree, err := parse(source)
	if err != nil {
		panic("draft: " + err.Error()) // Scripts has compiled it
	}
	atFirst(tree)
	r := &reading{tree: tree, assigned: map[string][]*syntax.Expr{}, named: map[place]string{}, fixed: map[int]string{}, given: map[int]bool{}, madeOf: map[visit][]use{}}
	callers := map[string]bool{}
	for _, s := range tree.Statements {
		names := s.Names
		if s.Body > 0 && len(names) == 2 && len(s.Values) == 1 { // an index and what stands there
			names = names[1:]
		}
		for _, t := range s.Targets {
			names = append(names, t.Text)
		}
		values := s.Values
		if len(values) == 1 && len(names) > 1 && isUnpacked(values[0]) { // all of ARGV, each in a variable
			values = nil
			for n := 1; n <= len(names); n++ {
				values = append(values, argv(n))
				r.args, r.given[n] = max(r.args, n), true
			}
		}
		for i, v := range values {
			if i >= len(names) || names[i] == "" {
				continue
			}
			if isCaller(v, nil) {
				callers[names[i]] = true
			}
			r.assigned[names[i]] = append(r.assigned[names[i]], v)
			if p, ok := direct(orElse(v)); ok && r.named[p] == "" {
				r.named[p] = names[i]
			}
		}
	}
	functions := r.functions()
	for _, e := range tree.Exprs {
		if p, ok := direct(e); ok {
			if p.arg {
				r.args = max(r.args, p.n)
				r.given[p.n] = true
			} else {
				r.keys = max(r.keys, p.n)
			}
		}
		if e.Kind != syntax.Call || len(e.Args) == 0 {
			continue
		}
		if name, ok := functions[e.Object.Text]; ok && e.Object.Kind == syntax.Variable {
			for i, param := range name {
				if i < len(e.Args) {
					r.assigned[param] = append(r.assigned[param], e.Args[i])
				}
			}
		}
		if !isCaller(e.Object, callers) {
			continue
		}
		switch p, given := direct(e.Args[0]); {
		case r.constant(e.Args[0]) != "":
			c := call{strings.ToLower(r.constant(e.Args[0])), e.Args[1:], e}
			if (c.name == "setex" || c.name == "psetex") && len(c.args) == 2 && isUnpacked(c.args[1]) {
				c.args = []*syntax.Expr{c.args[0], argv(1), argv(2)}
				r.args, r.given[1], r.given[2] = max(r.args, 2), true, true
			}
			r.calls = append(r.calls, c)
		case given && p.arg: // clients name PUBLISH or SPUBLISH so
			r.fixed[p.n] = "PUBLISH"
			r.calls = append(r.calls, call{"publish", e.Args[1:], e})
		}
	}
	for _, m := range fieldOf.FindAllStringSubmatch(source, -1) {
		if n, _ := strconv.Atoi(m[4]); r.named[place{true, n}] == "" {
			r.named[place{true, n}] = m[1] + m[2] + m[3]
		}
	}
	if r.mentions("KEYS") {
		r.keys = max(r.keys, 1)
	}
	if r.args == 0 && r.mentions("ARGV") { // all at once: unpack(ARGV)
		r.args, r.given[1] = 1, true
	}
	return r
}

// atFirst puts the number that a loop begins with in place of its variable, so that ARGV[i] is the first of them.
func atFirst(tree *syntax.Tree) {
	begin := map[string]string{}
	for _, m := range loop.FindAllStringSubmatch(tree.Source, -1) {
		begin[m[1]] = m[2]
	}
	for _, e := range tree.Exprs {
		if n, ok := begin[e.Text]; ok && e.Kind == syntax.Variable {
			e.Kind, e.Text = syntax.NumberValue, n
		}
	}
}

var loop = regexp.MustCompile(`\bfor\s+(\w+)\s*=\s*(\d+)\s*,`)

// fieldOf matches one of ARGV that is written to a field of a table, or compared with one.
var fieldOf = regexp.MustCompile(`(?:\[\s*['"](\w+)['"]\s*\]|[{,]\s*(\w+)|\.(\w+))\s*==?\s*ARGV\s*\[\s*(\d+)\s*\]`)

// decoded is which of ARGV, or the value of which of KEYS, the script decodes from JSON or MessagePack; empty: none.
func (r *reading) decoded() string {
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Call || len(e.Args) != 1 || e.Object.Kind != syntax.Index || e.Object.Object.Kind != syntax.Variable {
			continue
		}
		if of := e.Object.Object.Text + "." + e.Object.Key.Text; of != "cjson.decode" && of != "cmsgpack.unpack" {
			continue
		}
		for _, u := range r.uses(e.Args[0]) {
			if u.arg {
				return fmt.Sprintf("ARGV[%d]", u.n)
			}
		}
		for _, c := range r.calls {
			if len(c.args) == 0 || !r.isReply(e.Args[0], c.expr) {
				continue
			}
			if p, ok := direct(c.args[0]); ok && !p.arg {
				return fmt.Sprintf("KEYS[%d]", p.n)
			}
		}
	}
	return ""
}

// isUnpacked tells whether an expression is all of ARGV.
func isUnpacked(e *syntax.Expr) bool {
	e = e.Bare()
	return e.Kind == syntax.Call && e.Object.Kind == syntax.Variable && e.Object.Text == "unpack" && len(e.Args) == 1 &&
		e.Args[0].Kind == syntax.Variable && e.Args[0].Text == "ARGV"
}

func argv(n int) *syntax.Expr {
	return &syntax.Expr{
		Kind:   syntax.Index,
		Object: &syntax.Expr{Kind: syntax.Variable, Text: "ARGV"},
		Key:    &syntax.Expr{Kind: syntax.NumberValue, Text: strconv.Itoa(n)},
	}
}

func (r *reading) mentions(variable string) bool {
	return slices.ContainsFunc(r.tree.Exprs, func(e *syntax.Expr) bool { return e.Kind == syntax.Variable && e.Text == variable })
}

var function = regexp.MustCompile(`function\s+([A-Za-z_][A-Za-z0-9_]*)\s*\(([^)]*)\)|([A-Za-z_][A-Za-z0-9_]*)\s*=\s*function\s*\(([^)]*)\)`)

// functions are the script's own, with the names of their parameters.
func (r *reading) functions() map[string][]string {
	all := map[string][]string{}
	for _, m := range function.FindAllStringSubmatch(r.tree.Source, -1) {
		var params []string
		for param := range strings.SplitSeq(m[2]+m[4], ",") {
			params = append(params, strings.TrimSpace(param))
		}
		all[m[1]+m[3]] = params
	}
	return all
}

func isCaller(e *syntax.Expr, callers map[string]bool) bool {
	e = e.Bare()
	return e.Kind == syntax.Variable && callers[e.Text] ||
		e.Kind == syntax.Index && e.Key.Kind == syntax.StringValue && (e.Key.Text == "call" || e.Key.Text == "pcall")
}

// direct is the place of an expression that is KEYS[n] or ARGV[n] and nothing else, tonumber and tostring aside.
func direct(e *syntax.Expr) (place, bool) {
	e = e.Bare()
	if e.Kind == syntax.Call && len(e.Args) > 0 && e.Object.Kind == syntax.Variable && strings.HasPrefix(e.Object.Text, "to") {
		e = e.Args[0].Bare()
	}
	if e.Kind != syntax.Index || e.Object.Kind != syntax.Variable {
		return place{}, false
	}
	n := first(e.Key)
	if name := e.Object.Text; n < 1 || name != "KEYS" && name != "ARGV" {
		return place{}, false
	}
	return place{e.Object.Text == "ARGV", n}, true
}

// orElse is an expression without its default: tonumber(ARGV[1]) of tonumber(ARGV[1]) or 1.
func orElse(e *syntax.Expr) *syntax.Expr {
	for e = e.Bare(); e.Kind == syntax.Operation && e.Op == syntax.TokOr; e = e.Args[0].Bare() {
	}
	return e
}

// constant is a text that stands there, or in the variable that stands there; empty: it is none.
func (r *reading) constant(e *syntax.Expr) string {
	if e = e.Bare(); e.Kind == syntax.Variable && len(r.assigned[e.Text]) == 1 {
		e = r.assigned[e.Text][0].Bare()
	}
	if e.Kind == syntax.StringValue {
		return e.Text
	}
	return ""
}

// first is an index, or that of a sum when its variables are 0, as before a loop; 0: there is no number in it.
func first(index *syntax.Expr) int {
	switch index = index.Bare(); {
	case index.Kind == syntax.NumberValue:
		n, _ := strconv.Atoi(index.Text)
		return n
	case index.Kind == syntax.Operation && index.Op == '+' && len(index.Args) == 2:
		return first(index.Args[0]) + first(index.Args[1])
	}
	return 0
}

// use is one of KEYS or ARGV as a part of an expression.
type use struct {
	place
	thousandth bool // it is multiplied by 1000
	thousands  bool // it is divided by 1000
	taken      bool // it is subtracted from something
	scaled     bool // it is multiplied with or divided by what is no number, or divides something
	alone      bool // nothing is done with it
}

// uses are the KEYS and ARGV that an expression is made of. It sees through variables, and not into replies. Its depth
// is bounded, as variables may be made of each other.
func (r *reading) uses(e *syntax.Expr) []use {
	return r.within(e, use{alone: true}, 0)
}

// visit is a look through a variable. One of a kind is enough: many functions have a parameter of one name, and a sum is
// assigned to one variable again and again.
type visit struct {
	name  string
	as    use
	depth int
}

func (r *reading) within(e *syntax.Expr, as use, depth int) []use {
	if p, ok := direct(e); ok {
		as.place = p
		return []use{as}
	}
	if depth > 5 { // of variables that are made of each other
		return nil
	}
	switch e = e.Bare(); e.Kind {
	case syntax.Variable:
		if e.Text == "ARGV" || e.Text == "KEYS" { // what stands first
			as.place = place{e.Text == "ARGV", 1}
			return []use{as}
		}
		to := visit{e.Text, as, depth}
		all, known := r.madeOf[to]
		if known {
			return slices.Clone(all) // callers take some away
		}
		for _, v := range r.assigned[e.Text] {
			all = joined(all, r.within(v, as, depth+1))
		}
		r.madeOf[to] = all
		return slices.Clone(all)
	case syntax.Call:
		if isCaller(e.Object, nil) || e.Object.Kind == syntax.Variable && e.Object.Text == "type" {
			return nil // a reply, or what sort of value it is
		}
		var all []use
		for _, a := range e.Args {
			all = joined(all, r.within(a, as, depth+1))
		}
		return all
	case syntax.Operation:
		var all []use
		as.alone = false
		for i, a := range e.Args {
			of := as
			of.taken = e.Op == '-' && i == 1
			of.scaled = as.scaled || (e.Op == '*' || e.Op == '/') && !r.isNumber(e.Args[1-min(i, 1)])
			of.thousandth = e.Op == '*' && thousand(e.Args[1-min(i, 1)]) || as.thousandth && !of.scaled
			of.thousands = e.Op == '/' && i == 0 && thousand(e.Args[1]) || as.thousands && !of.scaled
			all = joined(all, r.within(a, of, depth+1))
		}
		return all
	default:
		return nil
	}
}

// joined are the uses of two expressions, equal ones once.
func joined(all, more []use) []use {
	return append(all, slices.DeleteFunc(more, func(u use) bool { return slices.Contains(all, u) })...)
}

// isNumber tells whether an expression is made of numbers that stand there, or in the variables that stand there.
func (r *reading) isNumber(e *syntax.Expr) bool {
	switch e = e.Bare(); e.Kind {
	case syntax.NumberValue:
		return true
	case syntax.Variable:
		return len(r.assigned[e.Text]) == 1 && r.assigned[e.Text][0].Bare().Kind == syntax.NumberValue
	case syntax.Operation:
		return !slices.ContainsFunc(e.Args, func(a *syntax.Expr) bool { return !r.isNumber(a) })
	default:
		return false
	}
}

func thousand(e *syntax.Expr) bool { return e.Kind == syntax.NumberValue && e.Text == "1000" }
