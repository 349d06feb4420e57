package draft

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/engine/reply"
	"lockstep/lessons"
	"lockstep/luaexec/syntax"
)

// Lesson is a lesson that was made of scripts.
type Lesson struct {
	Files  []lessons.File // lesson.yaml and the scripts that it plays
	Played []string       // their names: what takes the lock, gives it back, extends it
	Left   []string       // names of scripts that it does not play
	Doubts []fact.Fact    // what could not be told, and what was taken instead
}

// Chosen are the scripts to play, by name; empty: those that go together best.
type Chosen struct{ Take, Give string }

// New makes a lesson with a name of scripts. It ends soon after the context has, with its cause.
func New(ctx context.Context, name string, scripts []Script, chosen Chosen) (Lesson, error) {
	sources := slices.DeleteFunc(slices.Clone(scripts), func(s Script) bool { return s.Commands != nil })
	if len(sources) == 0 && len(scripts) > 0 {
		return scripts[0].Commands.lesson(ctx, name)
	}
	all := candidates(sources)
	for _, c := range all {
		if c.part == takes && c.wantsSet(ctx) {
			c.part = extends
		}
	}
	best, err := pick(ctx, all, chosen)
	if ctx.Err() != nil { // trials that were cut off tell nothing
		err = context.Cause(ctx)
	}
	if err != nil {
		return Lesson{}, err
	}
	d := &drafted{name: name, tried: best}
	if best.take != nil && !best.excludes() && (best.grantsNobody() || !d.refusesNobody()) {
		if command := best.take.alwaysYes(); command != "" {
			return Lesson{}, best.take.zeroIsTrue(command)
		}
	}
	if err := best.keepsExtreme(ctx); err != nil {
		return Lesson{}, err
	}
	if best.remembers() {
		return Lesson{}, fact.Of("draft-idempotent", best.take.File, best.take.Line, best.take.Name)
	}
	if best.grantsNobody() {
		return Lesson{}, fact.Of("draft-grants-nobody", best.take.File, best.take.Line, best.take.Name, best.first.String())
	}
	if best.tellsFirst() {
		return Lesson{}, fact.Of("draft-tells-first", best.take.File, best.take.Line, best.take.Name)
	}
	if d.extend = extension(all, best); d.extend != nil {
		nameKeys(d.played()...)
		for i, is := range d.extend.roles {
			if is == token && best.give != nil && slices.ContainsFunc(best.give.roles, func(r role) bool { return r >= answered }) {
				d.extend.roles[i] = slices.Max(best.give.roles)
			}
		}
	}
	if err := d.claim(ctx); err != nil {
		return Lesson{}, err
	}
	d.limit(ctx)
	d.tell(ctx)
	l := Lesson{Doubts: d.doubts, Files: []lessons.File{{Name: "lesson.yaml", Text: d.yaml()}}}
	for _, c := range all {
		if !slices.Contains(d.played(), c) {
			l.Left = append(l.Left, c.Name)
		}
	}
	for _, c := range d.played() {
		l.Played = append(l.Played, c.Name)
		l.Files = append(l.Files, lessons.File{Name: c.Name + ".lua", Text: c.Source})
	}
	return l, nil
}

// pick is the pair of scripts that did best when all were tried.
func pick(ctx context.Context, all []*candidate, chosen Chosen) (tried, error) {
	for _, wanted := range []struct {
		name string
		part part
	}{{chosen.Take, takes}, {chosen.Give, gives}} {
		i := slices.IndexFunc(all, func(c *candidate) bool { return c.Name == wanted.name })
		if wanted.name == "" {
			continue
		}
		if i < 0 {
			return tried{}, fact.Of("draft-no-such-script", wanted.name, fact.Names(namesOf(all)))
		}
		all[i].part = wanted.part
	}
	alsoTake(ctx, all)
	var best tried
	var unknown error // of a script that calls what the server does not have
	none := true
	for _, p := range pairs(all) {
		if ctx.Err() != nil {
			break
		}
		take, give := p[0], p[1]
		if chosen.Take != "" && (take == nil || take.Name != chosen.Take) || chosen.Give != "" && (give == nil || give.Name != chosen.Give) {
			continue
		}
		if chosen.Give == "" && take != nil && give != nil && take.takesSome() && take.calledStock() {
			continue
		}
		nameKeys(take, give)
		t := try(ctx, take, give)
		if none || t.rank() > best.rank() {
			best, none = t, false
		}
		if t.problem != nil && strings.Contains(t.problem.Error(), ": REFUSED ") {
			unknown = cmp.Or(unknown, t.problem)
		}
	}
	if chosen == (Chosen{}) && (none || best.worth() <= admitsAll || len(best.start) > 0 && !best.permits()) {
		if found := claims(ctx, all); len(found) > 0 {
			best, none = found[0], false
		}
	}
	switch {
	case none:
		return best, fact.Of("draft-no-lock", fact.Names(namesOf(all)))
	case best.problem != nil && best.take == nil && strings.Contains(best.problem.Error(), "WRONGTYPE"):
		return best, fact.Of("draft-gives-nothing", best.give.File, best.give.Line, best.give.Name)
	case best.problem != nil:
		return best, best.problem
	case unknown != nil && best.worth() <= admitsAll: // that one is the lock, then
		return best, unknown
	case best.take == nil:
		if err := best.notGiven(ctx, chosen.Give != ""); err != nil {
			return best, err
		}
	}
	nameKeys(best.take, best.give)
	return best, nil
}

// alsoTake makes others takers where no script is called a lock: renewals that, when tried, take a lock that nobody has, as
// that of a leader does, and what hands out a job.
func alsoTake(ctx context.Context, all []*candidate) {
	if len(of(all, takes)) > 0 {
		return
	}
	for _, c := range all {
		renews := ctx.Err() == nil && c.part == extends && slices.ContainsFunc(c.calls, c.makes)
		if !renews {
			continue
		}
		nameKeys(c)
		if t := try(ctx, c, nil); t.problem == nil && !t.permits() && t.excludes() {
			c.part = takes
		}
	}
	if len(of(all, takes)) > 0 {
		return
	}
	for _, t := range claims(ctx, all) {
		t.take.part = takes
	}
}

// wantsSet tells whether a script says yes to the client alone that SET has given the lock, whose value it leaves there: it
// extends that.
func (c *candidate) wantsSet(ctx context.Context) bool {
	nameKeys(c)
	var said [3]reply.Reply // to A: nobody has it, A has it, B has it
	for i, holder := range []string{"", "A", "B"} {
		on := begin(ctx, nil)
		if holder != "" {
			on.run(ctx, nil, holder)
		}
		if said[i] = on.run(ctx, c, "A"); said[i].IsError() || on.exec(ctx, "GET", lockKey).Str != holder {
			return false
		}
	}
	return said[0].Equal(said[2]) && !said[0].Equal(said[1])
}

// extension is the script that extends the lease and fits the one that takes the lock best; nil: there is none.
func extension(all []*candidate, best tried) *candidate {
	found := slices.DeleteFunc(of(all, extends), func(c *candidate) bool { return best.take != nil && opposed(best.take.Name, c.Name) })
	if len(found) == 0 {
		return nil
	}
	return slices.MaxFunc(found, func(a, b *candidate) int { return fits(best.take, a) - fits(best.take, b) })
}

func namesOf(all []*candidate) []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}

// drafted is a lesson as it is written.
type drafted struct {
	name string
	tried
	extend  *candidate    // nil: there is none
	span    time.Duration // in which a limiter lets one pass; 0: it is a lock
	again   time.Duration // after which it lets pass whom it refused, sooner than after the span; 0: it does not
	steps   time.Duration // of the lesson's clock; 0: the usual ones
	noTTL   bool          // it ends by itself, and its key has no TTL
	forGood bool          // it does not end, and its key has no TTL
	forever bool          // it counts calls, and lets no second one pass within a day
	kept    bool          // whoever gets it keeps it
	fills   string        // a list of permits that it makes, for clients to take from; empty: it makes none
	made    string        // the key that is the lock, where the script makes its name; empty: lockKey
	doubts  []fact.Fact

	commands *Commands // in place of scripts
}

func (d *drafted) doubt(of fact.Fact) { d.doubts = append(d.doubts, of) }

func (d *drafted) played() []*candidate {
	return slices.DeleteFunc([]*candidate{d.take, d.give, d.extend}, func(c *candidate) bool { return c == nil })
}

// tell adds the doubts: findings of the trials, and values that were guessed. It sets noTTL, fills and made.
func (d *drafted) tell(ctx context.Context) {
	if d.span == 0 {
		d.fills = d.permitsMade(ctx)
	}
	if d.take != nil && d.excludes() && (len(d.start) == 0 || d.permits()) {
		d.endsAlone(ctx)
	}
	d.lookAtKeys(ctx)
	if d.extend != nil && d.extendsAnothers(ctx) {
		d.doubt(fact.Of("draft-extends-anothers", d.extend.Name))
	}
	if d.worth() == works {
		if freesAnothers(ctx, d.take, d.give, d.section(), d.second) {
			d.doubt(fact.Of("draft-frees-anothers", d.give.Name))
		}
		d.doubts = append(d.doubts, d.nested(ctx)...)
	}
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
	var functions []string
	for _, c := range d.played() {
		if c.OfLibrary {
			functions = append(functions, c.Name)
		}
	}
	if len(functions) > 0 {
		d.doubt(fact.Of("draft-functions", fact.Names(functions)))
	}
	for _, c := range d.played() {
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
	return d.take != nil && d.give != nil && !d.excludes() && !shared.MatchString(d.take.Name) && callsItself.MatchString(d.take.Name) && !slices.ContainsFunc(d.take.roles, guessed)
}

// taken is how a program takes the lock, and the condition that tells that it has.
func (d *drafted) taken() (takes, condition string) {
	switch {
	case d.take == nil:
		return "", fmt.Sprintf(`redis.call("SET", %q, me, "NX", "PX", %d) == "OK"`, lockKey, leaseMS)
	case !d.excludes():
		return d.take.callLua(""), "true"
	case d.second.IsError():
		return "local took = " + d.take.callLua("pcall"), "took"
	}
	return "local reply = " + d.take.callLua(""), d.condition()
}

// readsClock tells whether a program must read its clock before it takes the lock.
func (d *drafted) readsClock() bool {
	if d.take == nil {
		return false
	}
	reads := func(r role) bool { return r == nowS || r == nowWholeS || r == deadlineS || r == cutoff }
	for _, is := range d.take.values { // where no stamp can stand
		if reads(is) || is == now || is == deadline {
			return true
		}
	}
	return d.take.current > 0 || slices.ContainsFunc(d.take.roles, reads)
}

// begins are the first lines of a program that reads its clock. A program runs up to its first request at time 0, however
// late that request is performed: a PING before makes it read the clock when its client begins.
func (d *drafted) begins() []string {
	if !d.readsClock() {
		return nil
	}
	lines := []string{`redis.call("PING") -- so the clock is read when the client begins`}
	if d.take.current > 0 {
		lines = append(lines, fmt.Sprintf("local window = math.floor(now() / %d)", windowSize.Milliseconds()))
	}
	return lines
}

// program is what each of the two clients does.
func (d *drafted) program() string {
	if d.commands != nil {
		return d.commands.program()
	}
	lines := d.begins()
	takes, condition := d.taken()
	if takes != "" {
		lines = append(lines, takes)
	}
	if d.span > 0 {
		return d.limited(lines, condition)
	}
	if d.once() {
		return strings.Join(append(lines, "if "+condition+" then", "  "+gotLua, "else", fmt.Sprintf("  refused(%q)", d.section()), "end"), "\n")
	}
	inside := []string{fmt.Sprintf("enter(%q)", d.section()), `work("3s")`}
	if d.extend != nil {
		inside = append(inside, d.extend.callLua(""), `work("3s")`)
	}
	inside = append(inside, fmt.Sprintf("leave(%q)", d.section()))
	if d.give != nil {
		inside = append(inside, d.give.callLua(""))
	}
	if condition == "true" {
		return strings.Join(append(lines, inside...), "\n")
	}
	return strings.Join(append(lines, "if "+condition+" then", "  "+strings.Join(inside, "\n  "), "else", fmt.Sprintf("  refused(%q)", d.section()), "end"), "\n")
}

// source is the file that the scripts come from.
func (d *drafted) source() string {
	if d.commands != nil {
		return path.Base(d.commands.File)
	}
	return path.Base(d.played()[0].File)
}
