package lessons

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
)

var (
	word   = regexp.MustCompile(`[\w.]+`)                                  // a number, a span or a name
	factor = regexp.MustCompile(`([*/])\s*(\d+(?:\.\d+)?)`)                // or a divisor
	term   = regexp.MustCompile(`\d+(?:\.\d+)?(\s*[*/]\s*\d+(?:\.\d+)?)+`) // a product or a quotient
	power  = regexp.MustCompile(`\b\d+\s*\^\s*\d+`)
	named  = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*=\s*(\d+(?:\.\d+)?(?:\s*[*/]\s*\d+(?:\.\d+)?)*)`) // a name for one of them

	multiplied = regexp.MustCompile(`[A-Za-z_]\w*\s*\*`) // such a name in a product
	multiplies = regexp.MustCompile(`\*\s*[A-Za-z_]\w*`)
)

// What a number without a unit may be: at most so many milliseconds, or so many seconds. Whole hours may be more seconds.
const (
	mostMilliseconds = 7 * 24 * 60 * 60 * 1000
	mostSeconds      = 60 * 60
)

// inDates are the lengths of time after which date shows something else, and the same again. Months and years are not alike:
// of theirs the multiples since 1970 meet the first turn after engine.Epoch, 1 December 2023 (547 of 36 days) and 1 January 2024 (163 of 121 days).
var inDates = map[string][]time.Duration{
	"%S": {time.Second, time.Minute}, "%M": {time.Minute, time.Hour}, "%H": {time.Hour, 24 * time.Hour}, "%d": {24 * time.Hour}, "%j": {24 * time.Hour},
	"%m": {36 * 24 * time.Hour}, "%Y": {121 * 24 * time.Hour},
}

// spans are the lengths of time that the lesson names, in ascending order: what somebody may compare with what a clock
// shows. A number alone is so many milliseconds, and so many seconds too. Where it names none, it is the clock's resolution:
// who looks at a clock twice may find that some time has passed.
func (l *Lesson) spans() []time.Duration {
	var all []time.Duration
	for _, g := range l.Given {
		if at := g.Key.Deadline; g.Statement == "" && at > 0 {
			all = append(all, at)
		}
	}
	for _, f := range l.Faults {
		if f.Span != 0 {
			all = append(all, f.Span.Abs())
		}
	}
	for _, text := range l.texts() {
		all = append(all, spansIn(text)...)
	}
	if len(all) == 0 {
		all = append(all, l.Resolution)
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// unit is the longest span of which another one and all that the lesson names are multiples, as far as they are of the
// clock's resolution.
func (l *Lesson) unit(of time.Duration) time.Duration {
	for _, span := range l.spans() {
		if span%l.Resolution == 0 {
			for ; span > 0; of, span = span, of%span {
			}
		}
	}
	return of
}

// texts are all in which a length of time may stand: programs, scripts, rules, and what the servers hold at the start.
func (l *Lesson) texts() []string {
	texts := []string{l.Client.Source}
	for _, a := range l.Actors {
		texts = append(texts, a.Program)
	}
	for _, s := range l.Scripts {
		texts = append(texts, s.Source)
	}
	for _, r := range l.Rules {
		texts = append(texts, r.Lua)
	}
	for _, g := range l.Given {
		texts = append(texts, g.Key.Text, g.Statement)
		for _, i := range g.Key.Items {
			texts = append(texts, i.Value)
		}
	}
	return texts
}

func spansIn(text string) (all []time.Duration) {
	for unit, spans := range inDates {
		if strings.Contains(text, "date(") && strings.Contains(text, unit) {
			all = append(all, spans...)
		}
	}
	text = power.ReplaceAllStringFunc(text, func(p string) string {
		of := word.FindAllString(p, -1)
		base, _ := strconv.ParseFloat(of[0], 64)
		to, _ := strconv.ParseFloat(of[1], 64)
		return digits(math.Pow(base, to))
	})
	for _, w := range word.FindAllString(text, -1) {
		if span, err := engine.ParseSpan(w); err == nil {
			all = append(all, span)
		} else if n, err := strconv.ParseFloat(w, 64); err == nil { // also 1e4
			all = appendNumber(all, n)
		} else if n, err := strconv.ParseInt(w, 0, 64); err == nil { // also 0x10
			all = appendNumber(all, float64(n))
		}
	}
	for _, t := range term.FindAllString(withNumbers(text), -1) {
		all = appendNumber(all, product(t))
	}
	return all
}

// product is what a product or a quotient of numbers is.
func product(text string) float64 {
	n, _ := strconv.ParseFloat(word.FindString(text), 64)
	for _, f := range factor.FindAllStringSubmatch(text, -1) {
		by, _ := strconv.ParseFloat(f[2], 64)
		if f[1] == "*" {
			n *= by
		} else {
			n /= by
		}
	}
	return n
}

// digits are those of a number that may be a span. A longer one is 0, which is none: a text of such powers would be many times as long.
func digits(n float64) string {
	if n > mostMilliseconds {
		return "0"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// withNumbers is a text whose products have numbers in place of the names that it gives them: 4 * minute is a span, too. Of a
// name that has several, the first counts.
func withNumbers(text string) string {
	numbers := map[string]string{}
	for _, n := range named.FindAllStringSubmatch(text, -1) {
		numbers[n[1]] = cmp.Or(numbers[n[1]], digits(product(n[2])))
	}
	number := func(factor string) string {
		name := word.FindString(factor)
		return strings.Replace(factor, name, cmp.Or(numbers[name], name), 1)
	}
	return multiplies.ReplaceAllStringFunc(multiplied.ReplaceAllStringFunc(text, number), number)
}

// appendNumber appends what a number may stand for: so many milliseconds or seconds, or an instant, which is
// so long after the start.
func appendNumber(all []time.Duration, n float64) []time.Duration {
	for _, ms := range []float64{n, n - float64(engine.Epoch), 1000*n - float64(engine.Epoch)} {
		if 0 < ms && ms <= mostMilliseconds {
			all = appendWhole(all, ms)
		}
	}
	if 0 < n && (n <= mostSeconds || math.Mod(n, mostSeconds) == 0 && 1000*n <= mostMilliseconds) {
		all = appendWhole(all, 1000*n)
	}
	return all
}

// appendWhole appends a number of milliseconds if it is a whole one, but for what 1.1 * 60 * 1000 is beside 66000.
func appendWhole(all []time.Duration, ms float64) []time.Duration {
	whole := math.Round(ms)
	if math.Abs(ms-whole) > 1e-6 {
		return all
	}
	return append(all, time.Duration(whole)*time.Millisecond)
}

// namesTTL is what a text has that may ask how long a key still lasts.
var namesTTL = regexp.MustCompile(`(?i)ttl`)

// comparesTTL is what a script has that may compare how long a key still lasts with something: it asks for a TTL and compares
// which of two is more, or has EXPIRE compare.
var comparesTTL = regexp.MustCompile(`(?is)ttl.*[<>]|[<>].*ttl|expire.*["'][gl]t["']|["'][gl]t["'].*expire`)

// noTTL asks whether a key has a TTL, which is the same however long that lasts.
var noTTL = regexp.MustCompile(`\bnot\s+ttl\(\s*("[^"]*"|'[^']*')\s*\)`)

// makesName is what a rule has that may call a function of a server without its name: node("n")["t" .. "tl"].
var makesName = regexp.MustCompile(`\[|\bi?pairs\b|\bnext\b|\brawget\b`)

// onlyComment is a line that is a comment and neither begins nor ends anything.
var onlyComment = regexp.MustCompile(`(?m)^\s*--[^\[\]\n]*$`)

// looksAtTTL tells whether a rule or a program may compare how long a key still lasts: it names a TTL, or may make the name of
// a function.
func (l *Lesson) looksAtTTL() bool {
	asks := func(lua string) bool {
		lua = onlyComment.ReplaceAllString(lua, "")
		return strings.Contains(strings.ToLower(lua), "ttl") || strings.Contains(lua, "_G") || comparesTTL.MatchString(lua)
	}
	made := func(lua string) bool { return strings.Contains(lua, "node") && makesName.MatchString(lua) }
	return slices.ContainsFunc(l.Rules, func(r Rule) bool { return asks(noTTL.ReplaceAllString(r.Lua, "")) || made(r.Lua) }) ||
		slices.ContainsFunc(l.Actors, func(a Actor) bool { return asks(a.Program) })
}

// scriptLooksAtTTL tells the same of a script, or of who compares something where a script names a TTL. Most scripts that name
// one do no more than return it, and those that compare one are long: only a closer look stops the clock for them.
func (l *Lesson) scriptLooksAtTTL() bool {
	told := l.compares()
	return slices.ContainsFunc(l.Scripts, func(s Script) bool {
		return comparesTTL.MatchString(s.Source) || told && namesTTL.MatchString(s.Source)
	})
}

// compares tells whether a program or a rule compares which of two is more: it may be what a script has returned.
func (l *Lesson) compares() bool {
	return slices.ContainsFunc(l.Actors, func(a Actor) bool { return strings.ContainsAny(a.Program, "<>") }) ||
		slices.ContainsFunc(l.Rules, func(r Rule) bool { return strings.ContainsAny(r.Lua, "<>") })
}
