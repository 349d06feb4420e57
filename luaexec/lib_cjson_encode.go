package luaexec

import (
	"fmt"
	"math"
	"strconv"

	"lockstep/luaexec/lua"
)

type jsonEncoder struct {
	growing
	config jsonConfig
}

func (lib jsonLibrary) encode(L *lua.State) int {
	if L.Top() != 1 {
		L.ArgumentError(1, "expected 1 argument")
	}
	e := jsonEncoder{growing{L: L}, *lib.config()}
	e.value(L.Get(1), 0, 1)
	e.push()
	return 1
}

func (e *jsonEncoder) refuse(v lua.Value, reason string) {
	e.L.Failf("Cannot serialise %s: %s", lua.TypeName(v), reason)
}

// value adds a value that is inside of depth tables. stack is how many values
// Redis has on its stack there, which bounds the depth too.
func (e *jsonEncoder) value(v lua.Value, depth int32, stack int) {
	switch v := v.(type) {
	case string:
		e.text(v)
	case float64:
		e.number(v)
	case bool:
		e.addString(strconv.FormatBool(v))
	case nil:
		e.addString("null")
	case *lua.Table:
		e.table(v, depth+1, stack)
	default:
		if v != jsonNull {
			e.refuse(v, "type not supported")
		}
		e.addString("null")
	}
}

func (e *jsonEncoder) table(t *lua.Table, depth int32, stack int) {
	const needed = 3
	if depth > e.config.encodeDepth || stack+needed > lua.MaxStack {
		e.L.Failf("Cannot serialise, excessive nesting (%d)", depth)
	}
	n := e.arrayLength(t)
	if n <= 0 {
		e.object(t, depth, stack)
		return
	}
	e.add('[')
	for i := range n {
		if i > 0 {
			e.add(',')
		}
		e.value(t.GetInt(int(i)+1), depth, stack+1)
	}
	e.add(']')
}

// arrayLength is the highest index of an array. What is not one, or is too
// sparse, has none.
func (e *jsonEncoder) arrayLength(t *lua.Table) int32 {
	highest, items := int32(0), int32(0)
	for key := range t.Fields {
		e.L.Charge(1)
		k, ok := key.(float64)
		if !ok || k < 1 || math.Floor(k) != k {
			return -1
		}
		if k > float64(highest) {
			highest = lua.Int32(k)
		}
		items++
	}
	c := &e.config
	if c.sparseRatio > 0 && highest > items*c.sparseRatio && highest > c.sparseSafe {
		if !c.convertSparse {
			e.refuse(t, "excessively sparse array")
		}
		return -1
	}
	return highest
}

func (e *jsonEncoder) object(t *lua.Table, depth int32, stack int) {
	e.add('{')
	first := true
	for key, v := range t.Fields {
		if !first {
			e.add(',')
		}
		first = false
		switch k := key.(type) {
		case float64:
			e.add('"')
			e.number(k)
			e.add('"')
		case string:
			e.text(k)
		default:
			e.refuse(key, "table key must be a number or string")
		}
		e.add(':')
		e.value(v, depth, stack+2)
	}
	e.add('}')
}

func (e *jsonEncoder) number(f float64) {
	switch invalid := math.IsNaN(f) || math.IsInf(f, 0); {
	case invalid && e.config.encodeInvalid == refuseInvalid:
		e.refuse(f, "must not be NaN or Inf")
	case invalid && e.config.encodeInvalid == nullInvalid:
		e.addString("null")
	case math.IsNaN(f):
		e.addString("nan")
	case e.config.precision == 14:
		e.addString(lua.FormatNumber(f))
	default:
		e.addString(lua.FormatG(f, int(e.config.precision)))
	}
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
		e.L.Charge(int64(more / bytesPerInstruction))
		e.pay(0)
	}
}
