package luaexec

import (
	lua "github.com/yuin/gopher-lua"
)

// jsonDecoder makes a value of JSON text.
type jsonDecoder struct {
	jsonScanner
	L     *lua.LState
	depth int32
	limit int32
}

func (lib jsonLibrary) decode(L *lua.LState) int {
	if L.GetTop() != 1 {
		argumentError(L, 1, "expected 1 argument")
	}
	text, c := checkString(L, 1), lib.config()
	if len(text) >= 2 && (text[0] == 0 || text[1] == 0) {
		raise(L, "JSON parser does not support UTF-16 or UTF-32")
	}
	charge(L, int64(len(text)/BytesPerInstruction))
	d := jsonDecoder{
		jsonScanner: jsonScanner{text: text, invalidNumbers: c.decodeInvalid},
		L:           L, limit: c.decodeDepth,
	}
	v := d.value(d.next())
	if t := d.next(); t.kind != jsonEnd {
		d.refuse("the end", t)
	}
	return push(L, v)
}

func (d *jsonDecoder) refuse(expected string, t jsonToken) {
	found := t.problem
	if found == "" {
		found = string(t.kind)
	}
	raisef(d.L, "Expected %s but found %s at character %d", expected, found, t.at+1)
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

// descend begins a table.
func (d *jsonDecoder) descend() {
	const cost = 20 // instructions, for its memory
	charge(d.L, cost)
	d.depth++
	if d.depth > d.limit || tooDeep(d.L, int(d.depth)) {
		raisef(d.L, "Found too many nested data structures (%d) at character %d", d.depth, d.at)
	}
}

func (d *jsonDecoder) object() lua.LValue {
	d.descend()
	object := d.L.CreateTable(0, 1)
	t := d.next()
	if t.kind == jsonObjectEnd {
		d.depth--
		return object
	}
	for {
		if t.kind != jsonString {
			d.refuse("object key string", t)
		}
		key := t.text
		if t = d.next(); t.kind != jsonColon {
			d.refuse("colon", t)
		}
		charge(d.L, 4) // for the key's place in the table
		object.RawSetString(key, d.value(d.next()))
		switch t = d.next(); t.kind {
		case jsonObjectEnd:
			d.depth--
			return object
		case jsonComma:
		default:
			d.refuse("comma or object end", t)
		}
		t = d.next()
	}
}

func (d *jsonDecoder) array() lua.LValue {
	d.descend()
	array := d.L.CreateTable(1, 0)
	t := d.next()
	if t.kind == jsonArrayEnd {
		d.depth--
		return array
	}
	for {
		array.Append(d.value(t)) // null is a value too
		switch t = d.next(); t.kind {
		case jsonArrayEnd:
			d.depth--
			return array
		case jsonComma:
		default:
			d.refuse("comma or array end", t)
		}
		t = d.next()
	}
}
