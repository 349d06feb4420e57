package ui

import (
	"strings"
	"testing"
)

func TestLuaIsColoured(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"if redis.call('get', KEYS[1]) == 10 then", "k{if} r{redis}.call(s{'get'}, r{KEYS}[n{1}]) == n{10} k{then}"},
		{"-- note\nreturn nil", "c{-- note}\nk{return} k{nil}"},
		{"--[[ two\nlines ]] x = [[a\nb]]", "c{--[[ two}\nc{lines ]]} x = s{[[a}\ns{b]]}"},
		{`x = "a\"b" .. 'c`, `x = s{"a\"b"} .. s{'c}`},
		{"local 锁 = ifx", "k{local} 锁 = ifx"},
		{"", ""},
	} {
		var lines []string
		for _, line := range luaLines(tt.source) {
			var b strings.Builder
			for _, tok := range line {
				if tok.class == "" {
					b.WriteString(tok.text)
				} else {
					b.WriteString(tok.class + "{" + tok.text + "}")
				}
			}
			lines = append(lines, b.String())
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.source, got, tt.want)
		}
	}
}

func FuzzLuaKeepsItsText(f *testing.F) {
	f.Add(lockLua)
	f.Add("[==[ [[ --[")
	f.Fuzz(func(t *testing.T, source string) {
		var lines []string
		for _, line := range luaLines(source) {
			var b strings.Builder
			for _, tok := range line {
				b.WriteString(tok.text)
			}
			lines = append(lines, b.String())
		}
		want := strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
