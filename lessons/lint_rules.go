package lessons

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/luaexec"
)

// Doubts are reasons why it would prove little that the lesson's rules hold. They are warnings.
func (l *Lesson) Doubts() Problems {
	n := &lint{lesson: l}
	for _, r := range l.Rules {
		at := l.Declared["invariant "+r.Name]
		if text, compares := numberInQuotes(r.Lua); compares {
			n.warn(CodeIdleInvariant, at, fact.Of("lesson-number-as-text", r.Name, text), fact.Of("lesson-without-quotes"))
		} else if !couldBeFalse(r) {
			n.warn(CodeIdleInvariant, at, fact.Of("lesson-always-true", r.Name), fact.Of("lesson-say-never"))
		}
	}
	for _, a := range l.Actors {
		if drawsAtRandom.MatchString(a.Program) {
			n.warn(CodeOneDraw, a.Place, fact.Of("lesson-one-draw", a.Name), fact.Of("lesson-let-decide"))
		}
	}
	return n.found
}

var drawsAtRandom = regexp.MustCompile(`\bmath\s*\.\s*random\s*\(`)

// compared is a text of digits behind or before a comparison.
var compared = regexp.MustCompile(`[=~]=\s*(["'])(-?\d+(?:\.\d+)?)["']|(["'])(-?\d+(?:\.\d+)?)["']\s*[=~]=`)

// makesText is what makes a text of a number in Lua: then its digits may well be compared as text.
var makesText = regexp.MustCompile(`\btostring\b|\bstring\s*\.|\.\.`)

// numberInQuotes finds a number that a rule compares as text.
func numberInQuotes(rule string) (text string, found bool) {
	if makesText.MatchString(rule) {
		return "", false
	}
	for _, m := range compared.FindAllStringSubmatch(rule, -1) {
		text = m[2] + m[4]
		if numberOrText(text).Type() == lua.LTNumber {
			return strconv.Quote(text), true
		}
	}
	return "", false
}

// guesses is how often a rule is asked about a state that is made up.
const guesses = 1000

// couldBeFalse tells whether a rule is false in one of many states that are made up, or in none of them true:
// what its functions return is drawn, from what the rule names among others.
func couldBeFalse(r Rule) bool {
	rule, err := newLuaRule(r)
	if err != nil {
		return true // and that was said when the lesson was read
	}
	d := &madeUp{others: []lua.LValue{lua.LNil, lua.LNumber(-1), lua.LNumber(0), lua.LNumber(1), lua.LNumber(1e9), lua.LString("x")}}
	for _, text := range literal.FindAllString(r.Lua, -1) {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			d.named = append(d.named, lua.LNumber(n-1), lua.LNumber(n), lua.LNumber(n+1))
		} else {
			d.named = append(d.named, numberOrText(text[1:len(text)-1]))
		}
	}
	anyTrue := false
	for range guesses {
		holds, err := d.holds(rule)
		if err == nil && !holds {
			return true
		}
		anyTrue = anyTrue || err == nil
	}
	return !anyTrue
}

// madeUp is a state that is drawn as a rule looks at it.
type madeUp struct {
	drawn         uint64                // the last number; the same rule is always asked about the same states
	named, others []lua.LValue          // values that the rule names or that are next to them, and that it does not
	said          map[string]lua.LValue // what a function returned for some arguments, which it returns again
}

var literal = regexp.MustCompile(`"[^"]*"|'[^']*'|\d+(?:\.\d+)?`)

// below draws a number below n (Knuth's generator of MMIX).
func (d *madeUp) below(n int) int {
	d.drawn = d.drawn*6364136223846793005 + 1442695040888963407
	return int(d.drawn>>33) % n
}

// value is one that a rule could be about.
func (d *madeUp) value() lua.LValue {
	if len(d.named) > 0 && d.below(2) == 0 {
		return d.named[d.below(len(d.named))]
	}
	return d.others[d.below(len(d.others))]
}

// anyStatus are those of actors, tasks and servers.
var anyStatus = []engine.Status{
	engine.Ready, engine.Waiting, engine.Blocked, engine.Unanswered, engine.Sleeping, engine.Paused, engine.Crashed, engine.Finished, engine.Failed, NoTask,
}

// status is one that there is, rather one that the rule names.
func (d *madeUp) status() lua.LValue {
	if v := d.value(); slices.Contains(anyStatus, engine.Status(v.String())) {
		return v
	}
	return lua.LString(anyStatus[d.below(len(anyStatus))])
}

// holds asks the rule about a state.
func (d *madeUp) holds(r *luaRule) (bool, error) {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, RegistrySize: 256, CallStackSize: 50, MinimizeStackMemory: true})
	defer L.Close()
	L.SetContext(luaexec.NewBudget(ruleBudget))
	luaexec.OpenSafe(L)
	d.said = map[string]lua.LValue{}
	count := func() lua.LValue {
		if n, named := d.value().(lua.LNumber); named && n >= 0 {
			return n
		}
		return lua.LNumber(d.below(4))
	}
	yes := func() lua.LValue { return lua.LBool(d.below(2) == 0) }
	orNil := func(draw func() lua.LValue) func() lua.LValue { // of a key that is missing, or of another type
		return func() lua.LValue {
			if d.below(4) == 0 {
				return lua.LNil
			}
			return draw()
		}
	}
	lag := func() lua.LValue {
		if d.below(4) == 0 {
			return lua.LNumber(math.Inf(1))
		}
		return count()
	}
	draws := map[string]func() lua.LValue{
		"get": d.value, "hget": d.value, "zscore": d.value, "lindex": d.value, "ttl": d.value, "status": d.status, "lag": lag, "deadlocks": count, "inside": count, "waiting": count,
		"exists": orNil(func() lua.LValue { return lua.LTrue }), "sismember": orNil(yes), "leads": yes,
	}
	for name := range counted {
		draws[name] = orNil(count)
	}
	for _, name := range []string{"row", "znode"} {
		draws[name] = orNil(func() lua.LValue { return d.answering(L, L.NewTable()) })
	}
	of := func(node string, into *lua.LTable) {
		for name, draw := range draws {
			into.RawSetString(name, returning(L, func(L *lua.LState) lua.LValue {
				asked := []string{node, name}
				for i := range L.GetTop() {
					asked = append(asked, L.Get(i+1).String())
				}
				return d.again(strings.Join(asked, "\x00"), draw)
			}))
		}
	}
	of("", L.G.Global)
	L.SetGlobal("node", returning(L, func(L *lua.LState) lua.LValue {
		t := L.NewTable()
		of(L.CheckString(1), t)
		return t
	}))
	d.answering(L, L.G.Global)
	L.Push(L.NewFunctionFromProto(r.proto))
	if err := L.PCall(0, 1, nil); err != nil {
		return false, err
	}
	return lua.LVAsBool(L.Get(-1)), nil
}

// answering has a table draw the fields that it does not have.
func (d *madeUp) answering(L *lua.LState, t *lua.LTable) *lua.LTable {
	meta := L.NewTable()
	meta.RawSetString("__index", returning(L, func(L *lua.LState) lua.LValue {
		return d.again(fmt.Sprintf("%p\x00%s", t, L.Get(2).String()), d.value)
	}))
	L.SetMetatable(t, meta)
	return t
}

func (d *madeUp) again(asked string, draw func() lua.LValue) lua.LValue {
	v, known := d.said[asked]
	if !known {
		v = draw()
		d.said[asked] = v
	}
	return v
}
