package luaexec

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"

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
func Describe(v lua.LValue) string {
	if t, ok := v.(*lua.LTable); ok {
		return describeTable(t).Lua()
	}
	return describe(v, shownString).Lua()
}

func describe(v lua.LValue, most int) luaprobe.Datum {
	switch v := v.(type) {
	case lua.LString:
		return luaprobe.Datum{Kind: luaprobe.StringDatum, Text: string(v[:min(len(v), most)]), Length: len(v)}
	case lua.LNumber:
		return luaprobe.Datum{Kind: luaprobe.NumberDatum, Text: formatNumber(float64(v))}
	case lua.LBool:
		if v {
			return luaprobe.Datum{Kind: luaprobe.TrueDatum}
		}
		return luaprobe.Datum{Kind: luaprobe.FalseDatum}
	case *lua.LNilType:
		return luaprobe.Datum{Kind: luaprobe.NilDatum}
	case *lua.LTable:
		return luaprobe.Datum{Kind: luaprobe.ClosedDatum}
	case *lua.LUserData:
		if s, ok := v.Value.(fmt.Stringer); ok {
			return luaprobe.Datum{Kind: luaprobe.OtherDatum, Text: s.String()}
		}
	}
	return luaprobe.Datum{Kind: luaprobe.OtherDatum, Text: v.Type().String()}
}

func describeTable(t *lua.LTable) luaprobe.Datum {
	d := luaprobe.Datum{Kind: luaprobe.TableDatum}
	for d.Array < countedMost {
		v := t.RawGetInt(d.Array + 1)
		if v == lua.LNil {
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
	for k, v := t.Next(lua.LNil); k != lua.LNil && d.Others <= countedMost; k, v = t.Next(k) {
		if n, ok := k.(lua.LNumber); ok && n >= 1 && n <= lua.LNumber(d.Array) && n == lua.LNumber(int(n)) {
			continue
		}
		d.Others++
		d.Pairs = append(d.Pairs, [2]luaprobe.Datum{describe(k, shownElement), describe(v, shownElement)})
	}
	if d.Others > countedMost {
		return luaprobe.Datum{Kind: luaprobe.TableDatum, Array: d.Array, Items: d.Items, Endless: true}
	}
	d.Sort()
	d.Pairs = d.Pairs[:min(len(d.Pairs), shownEntries-len(d.Items))]
	return d
}
