package resp_test

import (
	"strings"
	"testing"

	"lockstep/luaexec/resp"
)

// Scripts may run for longer here than in a lesson, but neither for ever nor with
// all memory.
func TestScriptsEnd(t *testing.T) {
	w := dial(t, open(t, resp.Real))
	w.expect(":1\r\n", "EVAL", "for i = 1, 3000000 do end return 1", "0")
	const memory, instructions = "holds more than its 268435456 bytes", "used up its budget of 50000000 instructions"
	for _, c := range []struct{ script, says string }{
		{"while true do end", instructions},
		{"local t = {} for i = 1, 1e9 do local u = {} u.x = i t[i] = u end", memory},
		{"local t, s = {}, ('x'):rep(1e5) for i = 1, 1e9 do t[i] = s .. i end", memory},
		{"for i = 1, 1e9 do redis.call('set', 'k' .. i, ('x'):rep(1000)) end", memory},
	} {
		if got := w.do("EVAL", c.script, "0"); !strings.Contains(got, c.says) {
			t.Errorf("%s\n answers %.200q\n and not %q", c.script, got, c.says)
		}
		w.expect("+OK\r\n", "FLUSHALL")
	}
}
