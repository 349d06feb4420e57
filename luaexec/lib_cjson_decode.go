package luaexec

import (
	"lockstep/luaexec/lua"
)

// jsonDecoder makes a value of JSON text.
type jsonDecoder struct {
	jsonScanner
	L     *lua.State
	depth int32
	limit int32
	stack int // values that Redis has on its stack
}

func (lib jsonLibrary) decode(L *lua.State) int {
	if L.Top() != 1 {
		L.ArgumentError(1, "expected 1 argument")
	}
	text, c := L.CheckString(1), lib.config()
	if len(text) >= 2 && (text[0] == 0 || text[1] == 0) {
		L.Fail("JSON parser does not support UTF-16 or UTF-32")
	}
	L.Charge(int64(len(text) / bytesPerInstruction))
	d := jsonDecoder{
		jsonScanner: jsonScanner{text: text, invalidNumbers: c.decodeInvalid},
		L:           L, limit: c.decodeDepth, stack: 1,
	}
	v := d.value(d.next())
	if t := d.next(); t.kind != jsonEnd {
		d.refuse("the end", t)
	}
	L.Push(v)
	return 1
}

func (d *jsonDecoder) refuse(expected string, t jsonToken) {
	found := t.problem
	if found == "" {
		found = t.kind.String()
	}
	d.L.Failf("Expected %s but found %s at character %d", expected, found, t.at+1)
}

func (d *jsonDecoder) value(t jsonToken) lua.Value {
	d.L.Charge(1)
	switch t.kind {
	case jsonString:
		d.L.TakeString(len(t.text))
		return t.text
	case jsonNumber:
		return lua.Number(t.number)
	case jsonTrue:
		return true
	case jsonFalse:
		return false
	case jsonNothing:
		return jsonNull
	case jsonObjectBegin:
		return d.object()
	case jsonArrayBegin:
		return d.array()
	case jsonInvalid, jsonObjectEnd, jsonArrayEnd, jsonColon, jsonComma, jsonEnd:
	}
	d.refuse("value", t)
	return nil
}

// descend begins a table that puts so many values on Redis's stack.
func (d *jsonDecoder) descend(slots int) {
	const cost = 20 // instructions, for its memory
	d.L.Charge(cost)
	d.depth++
	if d.depth > d.limit || d.stack+slots > lua.MaxStack {
		d.L.Failf("Found too many nested data structures (%d) at character %d", d.depth, d.at)
	}
}

func (d *jsonDecoder) object() lua.Value {
	d.descend(3)
	object := d.L.NewTable(0, 0)
	t := d.next()
	if t.kind == jsonObjectEnd {
		d.depth--
		return object
	}
	d.L.Push(object) // what is being made must be seen when memory is looked at
	d.stack += 2
	for {
		if t.kind != jsonString {
			d.refuse("object key string", t)
		}
		key := t.text
		d.L.TakeString(len(key))
		if t = d.next(); t.kind != jsonColon {
			d.refuse("colon", t)
		}
		d.L.Charge(4) // for the key's place in the table
		v := d.value(d.next())
		object.SetString(key, v)
		switch t = d.next(); t.kind {
		case jsonObjectEnd:
			d.depth--
			d.stack -= 2
			d.L.Pop(1)
			return object
		case jsonComma:
		default:
			d.refuse("comma or object end", t)
		}
		t = d.next()
	}
}

func (d *jsonDecoder) array() lua.Value {
	d.descend(2)
	array := d.L.NewTable(0, 0)
	t := d.next()
	if t.kind == jsonArrayEnd {
		d.depth--
		return array
	}
	d.L.Push(array)
	d.stack++
	for i := 1; ; i++ {
		v := d.value(t) // null is a value too
		array.SetInt(i, v)
		switch t = d.next(); t.kind {
		case jsonArrayEnd:
			d.depth--
			d.stack--
			d.L.Pop(1)
			return array
		case jsonComma:
		default:
			d.refuse("comma or array end", t)
		}
		t = d.next()
	}
}
