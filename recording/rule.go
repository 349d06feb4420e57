package recording

import (
	"fmt"
	"math"
	"strconv"
)

// Rule is what the last request breaks, besides what is said of sections. A lesson whose requests come as
// several moves, or not at all, leaves it out: it would break elsewhere.
type Rule struct {
	Kind   RuleKind
	Server string
	Key    string
	Value  string // of Released: the holder's
}

// RuleKind is what a rule is about. What a state does not show, an Event of kind Mark does.
type RuleKind uint8

// The kinds of rules.
const (
	Expires  RuleKind = iota // the key has a TTL
	Released                 // from its mark on, an actor holds the key, which has its value
	Renewed                  // its mark is on who makes the lease of another longer
)

// ruleTexts are the names of rules and what a break means.
var ruleTexts = map[RuleKind]struct {
	name string
	say  words
}{
	Expires: {"the-key-expires", words{
		"The key never expires: if its holder dies, nobody gets it any more.", "这个键永不过期：持有者一旦崩溃，就再也没有人能拿到它。",
	}},
	Released: {"released-by-its-holder", words{
		"The key was taken away from its holder.", "这个键从持有者手中被拿走了。",
	}},
	Renewed: {"renewed-by-its-holder", words{
		"Somebody made the lease of another longer.", "有人延长了别人的租约。",
	}},
}

// mark is what actors are in from the mark on, in words that are the same in both languages; empty: nothing.
func (r *Rule) mark() string {
	switch r.Kind {
	case Released:
		return "key " + r.Key
	case Renewed:
		return "renew " + r.Key
	case Expires:
	}
	return ""
}

// lua is the rule as an expression.
func (w *writer) lua() string {
	r := w.Broken
	on := ""
	if r.Server != w.Servers[0] {
		on = fmt.Sprintf("node(%q).", w.names[r.Server])
	}
	call := func(name string) string { return fmt.Sprintf("%s%s(%s)", on, name, quoted(r.Key)) }
	free := fmt.Sprintf("inside(%s) == 0", quoted(r.mark()))
	switch r.Kind {
	case Expires:
		return fmt.Sprintf("not %s or %s ~= nil", call("exists"), call("ttl"))
	case Renewed:
		return free
	case Released:
	}
	value := quoted(r.Value)
	if n, err := strconv.ParseFloat(r.Value, 64); err == nil { // a rule takes it for a number
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Sprintf("%s or %s", free, call("exists"))
		}
		value = strconv.FormatFloat(n, 'g', -1, 64)
	}
	return fmt.Sprintf("%s or %s == %s", free, call("get"), value)
}

// end has the last request break the rule, if it does.
func (w *writer) end() {
	if w.Broken == nil {
		return
	}
	mark := w.Broken.mark()
	if crashed := mark != "" && len(w.inside[mark]) == 0; crashed || w.request == nil || w.leftOut > 0 || w.several {
		w.Broken = nil
		return
	}
	w.request.breaks(ruleTexts[w.Broken.Kind].name)
}
