package draft

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// library matches what is in a text for FUNCTION LOAD alone: its first line, which a program may put before it, or a
// registration. EVAL refuses both.
var library = regexp.MustCompile(`^\s*#!lua[^\n]* name=|\bredis\s*\.\s*register_function\b`)

// registered is a function that a library registers.
type registered struct {
	name     string // for FCALL
	function string // its name in Lua
	text     string // its Lua, if it is written in the registration; empty: it is declared elsewhere
	params   []string
	line     int // of the library's text, from 1
}

// functionsOf makes a script of each function that a library registers: the declarations that it uses, directly or not,
// with its parameters renamed to KEYS and ARGV, and a call of it. A text that is no Lua has none.
func functionsOf(text string) []Script {
	tree, err := parse(strings.TrimSpace(text))
	if err != nil {
		return nil
	}
	var own []*syntax.Statement
	var all []registered
	for _, s := range tree.Statements {
		if s.Fn != tree.Functions[0] || s.Depth > 0 {
			continue
		}
		if r, ok := registration(tree, s); ok {
			all = append(all, r)
		} else {
			own = append(own, s)
		}
	}
	var found []Script
	for _, r := range all {
		found = append(found, Script{Name: plainName(r.name), Source: r.script(tree, own), Line: r.line, OfLibrary: true})
	}
	return found
}

var (
	functionName = regexp.MustCompile(`function_name\s*=\s*["']([^"']+)["']`)
	callback     = regexp.MustCompile(`callback\s*=\s*([A-Za-z_]\w*)\s*[,}]`)
	notInNames   = regexp.MustCompile(`\W`)
)

// registration is the function that a statement registers; false: it registers none.
func registration(tree *syntax.Tree, s *syntax.Statement) (registered, bool) {
	i := slices.IndexFunc(tree.Exprs, func(e *syntax.Expr) bool {
		return e.Kind == syntax.Call && e.Token == s.First && e.Object.Kind == syntax.Index && e.Object.Key.Text == "register_function"
	})
	if i < 0 {
		return registered{}, false
	}
	args := tree.Exprs[i].Args
	r := registered{line: int(tree.Tokens[s.First].Line)}
	text := tree.Source[tree.Tokens[s.First].Start:tree.Tokens[s.End-1].End]
	switch {
	case len(args) == 2 && args[1].Kind == syntax.Variable:
		r.name, r.function = args[0].Text, args[1].Text
	case len(args) == 2 && args[1].Kind == syntax.FunctionValue:
		r.name, r.function = args[0].Text, notInNames.ReplaceAllString(args[0].Text, "_")
		first := int(tree.Tokens[args[1].Token].Start) - int(tree.Tokens[s.First].Start)
		r.text = "local function " + r.function + strings.TrimPrefix(strings.TrimRight(text[first:], "; )"), "function")
	case functionName.MatchString(text) && callback.MatchString(text):
		r.name, r.function = functionName.FindStringSubmatch(text)[1], callback.FindStringSubmatch(text)[1]
	}
	of := r.text
	if of == "" {
		of = tree.Source
	}
	params := regexp.MustCompile(`function\s+` + regexp.QuoteMeta(r.function) + `\s*\(([^)]*)\)|\b` + regexp.QuoteMeta(r.function) + `\s*=\s*function\s*\(([^)]*)\)`).FindStringSubmatch(of)
	if params == nil || r.function == "" {
		return registered{}, r.function != ""
	}
	for param := range strings.SplitSeq(params[1]+params[2], ",") {
		r.params = append(r.params, strings.TrimSpace(param))
	}
	return r, true
}

// script is the function as a script. own are the statements of its library that register nothing; those that it does not
// need are left out, as are their effects.
func (r registered) script(tree *syntax.Tree, own []*syntax.Statement) string {
	names := map[string]string{}
	for i, param := range r.params[:min(2, len(r.params))] {
		names[param] = []string{"KEYS", "ARGV"}[i]
	}
	used := map[string]bool{r.function: r.text == ""}
	for _, t := range syntax.Tokens(r.text) {
		used[r.text[t.Start:t.End]] = true
	}
	needed := map[*syntax.Statement]bool{}
	for more := true; more; {
		more = false
		for _, s := range own {
			if needed[s] || !slices.ContainsFunc(declaredBy(tree, s), func(name string) bool { return used[name] }) {
				continue
			}
			needed[s], more = true, true
			for i := s.First; i < s.End; i++ {
				used[tree.Text(i)] = true
			}
		}
	}
	var lines []string
	for _, s := range own {
		if needed[s] {
			start := 0 // with the comments before it
			if s.First > 0 {
				start = int(tree.Tokens[s.First-1].End)
			}
			lines = append(lines, renamed(strings.TrimSpace(tree.Source[start:tree.Tokens[s.End-1].End]), names))
		}
	}
	if r.text != "" {
		lines = append(lines, renamed(r.text, names))
	}
	return strings.Join(append(lines, "return "+r.function+"(KEYS, ARGV)"), "\n")
}

// declaredBy are the names that a statement declares or assigns to: its names, and the word that it begins with.
func declaredBy(tree *syntax.Tree, s *syntax.Statement) []string {
	first := s.First
	for first < s.End && (tree.Tokens[first].Kind == syntax.TokLocal || tree.Tokens[first].Kind == syntax.TokFunction) {
		first++
	}
	return append(slices.Clone(s.Names), tree.Text(first))
}

// renamed is Lua with other names for variables. Fields, methods and functions of the same names keep theirs.
func renamed(text string, names map[string]string) string {
	var b strings.Builder
	tokens := syntax.Tokens(text)
	at := 0
	for i, t := range tokens {
		if to := names[text[t.Start:t.End]]; to != "" && isVariable(tokens, i) {
			b.WriteString(text[at:t.Start])
			b.WriteString(to)
			at = int(t.End)
		}
	}
	return b.String() + text[at:]
}

// isVariable tells whether a token names a variable: no field, method or key of a table, and no function that is declared.
// The variables of an assignment to several count as keys: the parameter still has its value under the new name.
func isVariable(tokens []syntax.Token, i int) bool {
	before, after := syntax.Kind(0), syntax.Kind(0)
	if i > 0 {
		before = tokens[i-1].Kind
	}
	if i+1 < len(tokens) {
		after = tokens[i+1].Kind
	}
	isKey := after == '=' && strings.ContainsRune("{,;", rune(before))
	return tokens[i].Kind == syntax.TokName && before != '.' && before != ':' && before != syntax.TokFunction && !isKey
}
