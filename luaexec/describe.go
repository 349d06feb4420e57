package luaexec

import (
	"fmt"

	"lockstep/luaexec/lua"
	"lockstep/luaexec/luaprobe"
)

// How much of a value is shown: what probes show of a local variable too.
const (
	shownString  = 200 // bytes
	shownElement = 60  // bytes of a string in a table
	shownEntries = 20
	countedMost  = 100 // elements, and other keys
)

// Describe writes a value as reports of scripts write it. Userdata that can write
// itself does so. It looks at tables without asking their metatables.
func Describe(v lua.Value) string {
	if t, ok := v.(*lua.Table); ok {
		return describeTable(t).Lua()
	}
	return describe(v, shownString).Lua()
}

func describe(v lua.Value, most int) luaprobe.Datum {
	switch v := v.(type) {
	case string:
		return luaprobe.Datum{Kind: luaprobe.StringDatum, Text: v[:min(len(v), most)], Length: len(v)}
	case float64:
		return luaprobe.Datum{Kind: luaprobe.NumberDatum, Text: lua.FormatNumber(v)}
	case bool:
		if v {
			return luaprobe.Datum{Kind: luaprobe.TrueDatum}
		}
		return luaprobe.Datum{Kind: luaprobe.FalseDatum}
	case nil:
		return luaprobe.Datum{Kind: luaprobe.NilDatum}
	case *lua.Table:
		return luaprobe.Datum{Kind: luaprobe.ClosedDatum}
	case *lua.Userdata:
		if s, ok := v.Value.(fmt.Stringer); ok {
			return luaprobe.Datum{Kind: luaprobe.OtherDatum, Text: s.String()}
		}
	}
	return luaprobe.Datum{Kind: luaprobe.OtherDatum, Text: lua.TypeName(v)}
}

func describeTable(t *lua.Table) luaprobe.Datum {
	d := luaprobe.Datum{Kind: luaprobe.TableDatum}
	for d.Array < countedMost {
		v := t.GetInt(d.Array + 1)
		if v == nil {
			break
		}
		d.Array++
		if d.Array <= shownEntries {
			d.Items = append(d.Items, describe(v, shownElement))
		}
	}
	if d.Array == countedMost {
		d.Endless = true
		return d
	}
	// The order of next shows nowhere: keys are told only when all are counted, and
	// then they are sorted.
	for k, v := range t.Fields {
		if n, ok := k.(float64); ok && n >= 1 && n <= float64(d.Array) && n == float64(int(n)) {
			continue
		}
		if d.Others++; d.Others > countedMost {
			break
		}
		d.Pairs = append(d.Pairs, [2]luaprobe.Datum{describe(k, shownElement), describe(v, shownElement)})
	}
	if d.Others > countedMost {
		return luaprobe.Datum{Kind: luaprobe.TableDatum, Array: d.Array, Items: d.Items, Endless: true}
	}
	d.Sort()
	d.Pairs = d.Pairs[:min(len(d.Pairs), shownEntries-len(d.Items))]
	return d
}
