package luaprobe

import (
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// script is a source and the places in it that are to be reported.
type script struct {
	*syntax.Tree
	source  string              // with the first line, which may be for the server
	reports []*syntax.Statement // each is reported before it runs
	loops   []*syntax.Statement
	calls   []int // tokens at which redis.call(…) and redis.pcall(…) begin
}

// maxLevels leaves room for the levels that probes add to the 200 that Lua's own
// parser allows.
const maxLevels = 185

// read parses a source. The error is a *syntax.Error.
func read(source string) (*script, error) {
	s := &script{source: source}
	text := source
	if strings.HasPrefix(source, "#!") {
		end := strings.IndexByte(source, '\n')
		if end < 0 {
			return nil, &syntax.Error{Chunk: chunk, Line: 1, Message: "the #! line is all there is"}
		}
		text = strings.Repeat(" ", end) + source[end:]
	}
	var err error
	if s.Tree, err = syntax.Parse(text, chunk); err != nil {
		return nil, err
	}
	if s.Levels > maxLevels {
		return nil, &syntax.Error{Chunk: chunk, Line: 1, Message: "too many syntax levels to fit probes in"}
	}
	for _, statement := range s.Statements {
		if statement.Body > 0 {
			s.loops = append(s.loops, statement)
		}
		// A while statement is reported at every evaluation of its condition.
		if statement.Condition > 0 || s.Tokens[statement.First].Kind != syntax.TokWhile {
			s.reports = append(s.reports, statement)
		}
	}
	for _, use := range s.Exprs {
		if s.isCall(use) && s.kind(use.Token+3) == '(' {
			s.calls = append(s.calls, use.Token)
		}
	}
	return s, nil
}

// kind is the kind of a token; beyond the last one, that of the end.
func (s *script) kind(token int) syntax.Kind { return s.Tokens[min(token, len(s.Tokens)-1)].Kind }

// isCall tells whether a name begins redis.call or redis.pcall, of the global redis.
func (s *script) isCall(use *syntax.Expr) bool {
	return isRedis(use) && s.kind(use.Token+1) == '.' && (s.Text(use.Token+2) == "call" || s.Text(use.Token+2) == "pcall")
}

func isRedis(use *syntax.Expr) bool {
	return use.Kind == syntax.Variable && use.Local == nil && use.Text == "redis"
}

// hasRoom tells whether a function and all enclosing ones have registers and upvalues left
// for the probes.
func hasRoom(f *syntax.Function) bool {
	for ; f != nil; f = f.Parent {
		if len(f.Upvalues)+len(entries) > maxUpvalues {
			return false
		}
	}
	return true
}

// locals are the variables that a statement reports: those of its function, and those of
// enclosing functions that it uses anyway.
func locals(s *syntax.Statement) (names []string) {
	room := min(maxReported, maxRegisters-s.Scope.InScope(s.Fn))
	seen := map[string]bool{}
	for v := s.Scope; v != nil; v = v.Before {
		if seen[v.Name] {
			continue
		}
		seen[v.Name] = true
		switch {
		case v.Made, v.Fn != s.Fn && !slices.Contains(s.Fn.Upvalues, v):
		case len(names) < room:
			names = append(names, v.Name)
		}
	}
	slices.Reverse(names)
	return names
}
