package luaexec_test

import (
	"fmt"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"lockstep/engine"
	"lockstep/luaexec"
	"lockstep/node/redis"
)

// The same values as a probe reports and as luaexec.Describe writes them.
func TestDescribeWritesAsReportsDo(t *testing.T) {
	for _, value := range []string{
		`nil`, `true`, `false`, `0`, `-0`, `1.5`, `1e100`, `1/0`, `0/0`, `2^53`,
		`''`, `'a"b\n'`, `('x'):rep(201)`, `('x'):rep(199) .. 'é'`,
		`type`, `function() end`,
		`{}`, `{1, 2, 'x'}`, `{1, nil, 3}`, `{a = 1, ['b c'] = 2, [true] = 3, [1.5] = 4}`, `{{}, {1}}`,
		`'a;b\\'`, `(';'):rep(201)`, `{'\\;', ';', ['a;\\'] = {'\\'}, n = 1}`,
		`{('x'):rep(61)}`, `{[('x'):rep(61)] = 1}`,
		`(function() local t = {} for i = 1, 30 do t[i] = i end t.k = 1 return t end)()`,
		`(function() local t = {} for i = 1, 200 do t[i] = i end return t end)()`,
		`(function() local t = {1} for i = 1, 30 do t['k' .. i] = i end return t end)()`,
		`(function() local t = {1} for i = 1, 200 do t['k' .. i] = i end return t end)()`,
		`setmetatable({1}, {__index = {2}})`,
	} {
		t.Run(value, func(t *testing.T) {
			script := &engine.Script{Name: "s", Source: "local v = " + value + "\nreturn 1"}
			_, inside, err := redis.Look(t.Context(), newNode(), engine.Op{Script: script}, engine.NodeView{}, 0)
			if err != nil || inside == nil {
				t.Fatal(err)
			}
			want := inside.Lines[len(inside.Lines)-1].Locals[0].Value

			L := lua.NewState(lua.Options{SkipOpenLibs: true})
			defer L.Close()
			luaexec.OpenSafe(L)
			proto, err := luaexec.Compile("s", "return "+value)
			if err != nil {
				t.Fatal(err)
			}
			L.Push(L.NewFunctionFromProto(proto))
			if err := L.PCall(0, 1, nil); err != nil {
				t.Fatal(err)
			}
			if got := luaexec.Describe(L.Get(-1)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestDescribeLetsUserdataWriteItself(t *testing.T) {
	if got := luaexec.Describe(&lua.LUserData{Value: engine.StringKey}); got != "userdata" {
		t.Error(got)
	}
	if got := luaexec.Describe(&lua.LUserData{Value: fmt.Errorf("x")}); got != "userdata" {
		t.Error(got)
	}
	if got := luaexec.Describe(&lua.LUserData{Value: engine.Choice{Kind: engine.Run, Target: "A"}}); got != "run A" {
		t.Error(got)
	}
}
