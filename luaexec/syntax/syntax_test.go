package syntax

import (
	"errors"
	"strings"
	"testing"
)

// The messages are those of redis-server 7.0, which compiles with PUC-Rio's Lua.
func TestParse(t *testing.T) {
	many := func(n int, text string) string { return strings.Repeat(text, n) }
	for _, c := range []struct{ source, want string }{
		{"return 1", ""},
		{"return 0xff", ""},
		{"return 0x1p4", "s:1: malformed number near '0x1p4'"},
		{"return t.goto", "s:1: '<name>' expected near 'goto'"},
		{"local 1 = 2", "s:1: '<name>' expected near '1'"},
		{"return 1\nreturn 2", "s:2: '<eof>' expected near 'return'"},
		{"for i = 1 do end", "s:1: ',' expected near 'do'"},
		{"while true", "s:1: 'do' expected near '<eof>'"},
		{"if x then\n\n", "s:3: 'end' expected (to close 'if' at line 1) near '<eof>'"},
		{"return nil()", "s:1: '<eof>' expected near '('"},
		{"return 0x", "s:1: malformed number near '0x'"},
		{"return 3..2", "s:1: malformed number near '3..2'"},
		{"x = 'open", "s:1: unfinished string near '<eof>'"},
		{"x = 'open\n'", "s:1: unfinished string near ''open'"},
		{"x = '\\300'", "s:1: escape sequence too large near '''"},
		{"x = [=[ ]]", "s:1: unfinished long string near '<eof>'"},
		{"--[[ x", "s:1: unfinished long comment near '<eof>'"},
		{"; return 1", "s:1: unexpected symbol near ';'"},
		{"#!lua", "s:1: unexpected symbol near '#'"},
		{"x = }", "s:1: unexpected symbol near '}'"},
		{"f\n(1)", "s:2: ambiguous syntax (function call x new statement) near '('"},
		{"break", "s:1: no loop to break near '<eof>'"},
		{"function f() return ... end", "s:1: cannot use '...' outside a vararg function near '...'"},
		{"a.b:c = 1", "s:1: function arguments expected near '='"},
		{"a", "s:1: '=' expected near '<eof>'"},
		{"f() = 1", "s:1: unexpected symbol near '='"},
		{many(201, "local a "), "s:1: main function has more than 200 local variables"},
		{"return " + many(200, "(") + "1" + many(200, ")"), "s:1: chunk has too many syntax levels"},
	} {
		_, err := Parse(c.source, "s")
		var refused *Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatalf("%q: %T", c.source, err)
		}
		if got := text(err); got != c.want {
			t.Errorf("%.60q\n got  %s\n want %s", c.source, got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func FuzzParse(f *testing.F) {
	for _, source := range []string{"return 1", "local t = {a = 1, [2] = 3}", "for k, v in pairs(t) do break end", "x = function(...) return ... end"} {
		f.Add(source)
	}
	f.Fuzz(func(_ *testing.T, source string) {
		_, _ = Parse(source, "s") // it ends, and does not panic
	})
}
