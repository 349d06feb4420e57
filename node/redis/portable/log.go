package portable

import (
	"slices"

	"lockstep/luaexec/syntax"
)

// Logs is the line on which a script reaches for redis.log, or for functions of redis by names that only
// its run tells; 0 if it does not.
func Logs(text string) (line int) { return sourceOf(text).logs }

// logger finds where a source reaches for redis.log.
type logger struct{ libraries map[string]bool } // variables that are redis

// log looks for the first line that could write to the log of the server.
func (s *source) log(tree *syntax.Tree) {
	l := logger{map[string]bool{"redis": true}}
	for _, statement := range tree.Statements {
		for i, name := range assigned(statement) {
			if i < len(statement.Values) && l.isLibrary(statement.Values[i]) {
				l.libraries[name] = true
			}
		}
	}
	for _, e := range tree.Exprs {
		if line := tree.Line(e); l.reaches(e) && (s.logs == 0 || line < s.logs) {
			s.logs = line
		}
	}
}

func (l logger) isLibrary(e *syntax.Expr) bool {
	switch e = e.Bare(); e.Kind { //nolint:exhaustive // nothing else has a name
	case syntax.Variable:
		return l.libraries[e.Text]
	case syntax.Index: // _G.redis
		return e.Key.Kind == syntax.StringValue && e.Key.Text == "redis"
	}
	return false
}

func (l logger) reaches(e *syntax.Expr) bool {
	switch e.Kind { //nolint:exhaustive // nothing else leads to a field
	case syntax.Index, syntax.MethodIndex:
		if e.Key.Kind != syntax.StringValue {
			return l.isLibrary(e.Object)
		}
		object := e.Object.Bare()
		return e.Key.Text == "log" && (l.isLibrary(object) || object.Kind == syntax.Variable && object.Local == nil && object.Text != "math")
	case syntax.Call: // pairs(redis)
		return slices.ContainsFunc(e.Args, l.isLibrary)
	}
	return false
}
