package draft

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/luaexec/syntax"
)

func (d *drafted) doubt(of fact.Fact) { d.doubts = append(d.doubts, of) }

// tell adds the doubts: findings of the trials, and values that were guessed. It sets noTTL, fills and made.
func (d *drafted) tell(ctx context.Context) {
	if d.span == 0 {
		d.fills = d.permitsMade(ctx)
	}
	if d.take != nil && d.excludes() && (len(d.start) == 0 || d.permits()) {
		d.endsAlone(ctx)
	}
	d.lookAtKeys(ctx)
	if d.excludes() && d.span == 0 && len(d.start) == 0 && !d.once() {
		d.endsDuringWork(ctx)
	}
	if d.extend != nil && d.extendsAnothers(ctx) {
		d.doubt(fact.Of("draft-extends-anothers", d.extend.Name))
	}
	if d.worth() == works {
		if freesAnothers(ctx, d.take, d.give, d.section(), d.second) {
			d.doubt(fact.Of("draft-frees-anothers", d.give.Name))
		}
		d.doubts = append(d.doubts, d.nested(ctx)...)
		if d.take != nil {
			d.doubts = append(d.doubts, d.stuck(ctx)...)
		}
	}
	d.tellWhatWasMet()
	d.tellOfFunctions()
	for _, c := range d.played() {
		d.tellOfScript(c)
		d.tellOfArguments(c)
	}
}

// tellWhatWasMet adds the doubt about whom the scripts refused, and until when.
func (d *drafted) tellWhatWasMet() {
	switch {
	case d.take == nil:
		d.doubt(fact.Of("draft-takes-by-set", d.give.Name))
	case d.refusesNobody():
		d.doubt(fact.Of("draft-refuses-nobody", d.take.Name, d.first.String()))
	case instants(d.first, d.second):
		d.doubt(fact.Of("draft-tells-when", d.take.Name, d.first.String(), d.second.String()))
	case !d.excludes():
		d.doubt(fact.Of("draft-no-refusal", d.take.Name, d.first.String()))
	case d.span > 0 || d.kept || len(d.start) > 0 && !d.permits():
	case d.fills != "":
		d.doubt(fact.Of("draft-fills", d.take.Name, d.fills))
	case d.forever:
		d.doubt(fact.Of("draft-counts-forever", d.take.Name))
	case d.give == nil && d.forGood:
		d.doubt(fact.Of("draft-never-ends", d.take.Name))
	case d.give == nil:
		d.doubt(fact.Of("draft-nothing-gives", d.take.Name))
	case !d.frees():
		d.doubt(fact.Of("draft-not-given-back", d.give.Name, d.take.Name, d.later.String()))
	}
}

// tellOfFunctions adds that functions of a library are called as scripts.
func (d *drafted) tellOfFunctions() {
	var functions []string
	for _, c := range d.played() {
		if c.OfLibrary {
			functions = append(functions, c.Name)
		}
	}
	if len(functions) > 0 {
		d.doubt(fact.Of("draft-functions", fact.Names(functions)))
	}
}

// tellOfScript adds what is seen in the text of one script.
func (d *drafted) tellOfScript(c *candidate) {
	if c.OfCode {
		d.doubt(fact.Of("draft-of-code", c.File, c.Line, strings.ToUpper(c.Name)))
	}
	if len(c.Filled) > 0 {
		d.doubt(fact.Of("draft-filled", fact.Names(c.Filled), c.Name))
	}
	for _, n := range slices.Sorted(maps.Keys(c.values)) {
		d.doubt(fact.Of("draft-key-as-value", c.File, c.Line, c.Name, fmt.Sprintf("KEYS[%d]", n)))
	}
	if c == d.take && c.hoards() {
		d.doubt(fact.Of("draft-hoards", c.Name))
	}
	if command := c.alwaysYes(); command != "" {
		d.doubt(c.zeroIsTrue(command))
	}
	if fromLast.MatchString(c.tree.Source) {
		d.doubt(fact.Of("draft-from-last", c.Name))
	}
	if slices.Contains(c.roles, drawn) {
		d.doubt(fact.Of("draft-drawn", c.Name))
	}
	if strings.Contains(c.Source, "] .. '-*'") {
		d.doubt(fact.Of("draft-own-id", c.Name))
	}
}

// tellOfArguments adds what the arguments of a script were taken for where nothing told.
func (d *drafted) tellOfArguments(c *candidate) {
	for i, r := range c.roles {
		switch arg := fmt.Sprintf("ARGV[%d]", i+1); {
		case r == unknown && c.given[i+1]:
			d.doubt(fact.Of("draft-unknown-argument", arg, c.Name))
		case r == unknown:
			d.doubt(fact.Of("draft-unused-argument", arg, c.Name))
		case r == none && c.fixed[i+1] == "" && !namedBurst.MatchString(c.named[place{true, i + 1}]):
			d.doubt(fact.Of("draft-one-more", arg, c.Name))
		}
	}
}

// zeroIsTrue is what is wrong with a condition of a script.
func (c *candidate) zeroIsTrue(command string) fact.Fact {
	return fact.Of("draft-zero-is-true", c.File, c.Line, c.Name, command)
}

// fromLast matches one of ARGV that is counted from the last.
var fromLast = regexp.MustCompile(`\bARGV\s*\[\s*#\s*ARGV\b`)

var namedBurst = regexp.MustCompile(`(?i)burst`)

// grantsNobody tells whether what is called a lock says no to everybody, though it could say something else.
func (t tried) grantsNobody() bool {
	if t.take == nil || t.excludes() || !isNothing(t.first) || !isNothing(t.second) || !callsItself.MatchString(t.take.Name) {
		return false
	}
	return slices.ContainsFunc(t.take.tree.Statements, func(s *syntax.Statement) bool {
		if len(s.Names)+len(s.Targets) > 0 || len(s.Values) != 1 {
			return false
		}
		says := s.Values[0].Bare()
		return says.Kind == syntax.NumberValue && says.Text != "0" || says.Kind == syntax.StringValue && says.Text != "" || says.Kind == syntax.True
	})
}

// refusesNobody tells whether what is called a lock says the same to whoever asks, and there is no value that was guessed
// and could make it refuse. A lock for reading lets several in.
func (d *drafted) refusesNobody() bool {
	guessed := func(r role) bool { return r == unknown || r == number || r == limit || r == fixed }
	return d.take != nil && d.give != nil && !d.excludes() && !d.take.toRead() && callsItself.MatchString(d.take.Name) && !slices.ContainsFunc(d.take.roles, guessed)
}

// toRead tells whether a script takes a lock to read, by its name or by the mode that it writes.
func (c *candidate) toRead() bool {
	return shared.MatchString(c.Name) || slices.ContainsFunc(c.calls, func(call call) bool {
		return c.makes(call) && slices.ContainsFunc(call.args, func(e *syntax.Expr) bool { return c.constant(e) == "read" })
	})
}
