package luaexec

import (
	"cmp"

	lua "github.com/yuin/gopher-lua"
)

// jsonDecoder makes a value of JSON text.
type jsonDecoder struct {
	jsonScanner
	L     *lua.LState
	depth int
}

func jsonDecode(L *lua.LState) int {
	if L.GetTop() != 1 {
		argumentError(L, 1, "expected 1 argument")
	}
	text := checkString(L, 1)
	if len(text) >= 2 && (text[0] == 0 || text[1] == 0) {
		raise(L, "JSON parser does not support UTF-16 or UTF-32")
	}
	charge(L, int64(len(text)/BytesPerInstruction))
	d := jsonDecoder{jsonScanner: jsonScanner{text: text}, L: L}
	v := d.value(d.next())
	if t := d.next(); t.kind != jsonEnd {
		d.refuse("the end", t)
	}
	return push(L, v)
}

func (d *jsonDecoder) refuse(expected string, t jsonToken) {
	raisef(d.L, "Expected %s but found %s at character %d", expected, cmp.Or(t.problem, string(t.kind)), t.at+1)
}

func (d *jsonDecoder) value(t jsonToken) lua.LValue {
	charge(d.L, 1)
	switch t.kind { //nolint:exhaustive // the others have a value, or can begin none
	case jsonString:
		return lua.LString(t.text)
	case jsonObjectBegin:
		return d.object()
	case jsonArrayBegin:
		return d.array()
	}
	if t.value == nil {
		d.refuse("value", t)
	}
	return t.value
}

// parts reads those of a table up to its end: part gets the first token of each.
func (d *jsonDecoder) parts(end jsonKind, expected string, part func(jsonToken)) {
	const cost = 20 // instructions, for its memory
	charge(d.L, cost)
	d.depth++
	if d.depth > jsonDepth || tooDeep(d.L, d.depth) {
		raisef(d.L, "Found too many nested data structures (%d) at character %d", d.depth, d.at)
	}
	t := d.next()
	for more := t.kind != end; more; {
		part(t)
		t = d.next()
		if more = t.kind != end; more {
			if t.kind != jsonComma {
				d.refuse(expected, t)
			}
			t = d.next()
		}
	}
	d.depth--
}

func (d *jsonDecoder) object() lua.LValue {
	object := d.L.CreateTable(0, 1)
	d.parts(jsonObjectEnd, "comma or object end", func(t jsonToken) {
		if t.kind != jsonString {
			d.refuse("object key string", t)
		}
		key := t.text
		if t = d.next(); t.kind != jsonColon {
			d.refuse("colon", t)
		}
		charge(d.L, 4) // for the key's place in the table
		object.RawSetString(key, d.value(d.next()))
	})
	return object
}

func (d *jsonDecoder) array() lua.LValue {
	array := d.L.CreateTable(1, 0)
	d.parts(jsonArrayEnd, "comma or array end", func(t jsonToken) { array.Append(d.value(t)) }) // null is a value too
	return array
}
