package luaexec

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"
)

type jsonEncoder struct{ growing }

func jsonEncode(L *lua.LState) int {
	if L.GetTop() != 1 {
		argumentError(L, 1, "expected 1 argument")
	}
	e := jsonEncoder{growing{L: L}}
	e.value(L.Get(1), 0)
	e.push()
	return 1
}

func (e *jsonEncoder) refuse(v lua.LValue, reason string) {
	raisef(e.L, "Cannot serialise %s: %s", v.Type(), reason)
}

// value adds a value that is inside of depth tables.
func (e *jsonEncoder) value(v lua.LValue, depth int32) {
	switch v := v.(type) {
	case lua.LString:
		e.text(string(v))
	case lua.LNumber:
		e.number(v)
	case lua.LBool:
		e.addString(v.String())
	case *lua.LNilType:
		e.addString("null")
	case *lua.LTable:
		e.table(v, depth+1)
	default:
		if v != jsonNull {
			e.refuse(v, "type not supported")
		}
		e.addString("null")
	}
}

func (e *jsonEncoder) table(t *lua.LTable, depth int32) {
	if depth > jsonDepth || tooDeep(e.L, int(depth)) {
		raisef(e.L, "Cannot serialise, excessive nesting (%d)", depth)
	}
	n := e.arrayLength(t)
	if n <= 0 {
		e.object(t, depth)
		return
	}
	e.add('[')
	for i := range n {
		if i > 0 {
			e.add(',')
		}
		e.value(t.RawGet(lua.LNumber(i+1)), depth)
	}
	e.add(']')
}

// arrayLength is the highest index of an array; -1 for what is not one.
func (e *jsonEncoder) arrayLength(t *lua.LTable) int32 {
	highest, items := int32(0), int32(0)
	for key, _ := t.Next(lua.LNil); key != lua.LNil; key, _ = t.Next(key) {
		charge(e.L, 1)
		k, ok := key.(lua.LNumber)
		if !ok || k < 1 || math.Floor(float64(k)) != float64(k) {
			return -1
		}
		if float64(k) > float64(highest) {
			highest = toInt32(float64(k))
		}
		items++
	}
	if highest > items*jsonSparseRatio && highest > jsonSparseSafe {
		e.refuse(t, "excessively sparse array")
	}
	return highest
}

// toInt32 is C's cast from double to a 32-bit integer as x86 does it.
func toInt32(f float64) int32 {
	if f > math.MinInt32-1 && f < math.MaxInt32+1 {
		return int32(f)
	}
	return math.MinInt32
}

func (e *jsonEncoder) object(t *lua.LTable, depth int32) {
	e.add('{')
	first := true
	for key, v := range sandboxOf(e.L).fields(e.L, t) {
		if !first {
			e.add(',')
		}
		first = false
		switch k := key.(type) {
		case lua.LNumber:
			e.add('"')
			e.number(k)
			e.add('"')
		case lua.LString:
			e.text(string(k))
		default:
			e.refuse(key, "table key must be a number or string")
		}
		e.add(':')
		e.value(v, depth)
	}
	e.add('}')
}

func (e *jsonEncoder) number(n lua.LNumber) {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		e.refuse(n, "must not be NaN or Inf")
	}
	e.addString(formatNumber(f))
}

// jsonEscapes are what the bytes become that do not stand for themselves.
var jsonEscapes = func() (escapes [256]string) {
	for c := range 0x20 {
		escapes[c] = fmt.Sprintf(`\u%04x`, c)
	}
	escapes[0x7f] = `\u007f`
	for c, escape := range map[byte]string{
		'\b': `\b`, '\t': `\t`, '\n': `\n`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`, '/': `\/`,
	} {
		escapes[c] = escape
	}
	return escapes
}()

func (e *jsonEncoder) text(s string) {
	e.pay(len(s) + 2)
	before := len(e.bytes)
	e.bytes = append(e.bytes, '"')
	for i := range len(s) {
		if escape := jsonEscapes[s[i]]; escape != "" {
			e.bytes = append(e.bytes, escape...)
		} else {
			e.bytes = append(e.bytes, s[i])
		}
	}
	e.bytes = append(e.bytes, '"')
	if more := len(e.bytes) - before - len(s) - 2; more > 0 {
		charge(e.L, int64(more/BytesPerInstruction))
		e.pay(0)
	}
}

// jsonNull is cjson.null: a pointer to nothing. It is shared by all states and
// never changes.
var jsonNull = &lua.LUserData{Metatable: lua.LNil}

// cjson of a server that has just started: its functions that change settings are left out,
// as no script of a lock calls them, and every later script would be changed.
const (
	jsonSparseRatio = 2    // an array that has not one item in so many places is too sparse
	jsonSparseSafe  = 10   // the highest index that is never too sparse
	jsonDepth       = 1000 // of tables in one another
)

func (s *Machine) openCJSON() {
	t := s.L.CreateTable(0, 8)
	register(s.L, t, map[string]lua.LGFunction{"encode": jsonEncode, "decode": jsonDecode})
	t.RawSetString("null", jsonNull)
	t.RawSetString("_NAME", lua.LString("cjson"))
	t.RawSetString("_VERSION", lua.LString("2.1.0"))
	addLibrary(s.L, "cjson", t)
}
