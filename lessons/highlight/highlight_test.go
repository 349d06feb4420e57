package highlight

import (
	"regexp"
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
		if got := marked(Lua(tt.source)); got != tt.want {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.source, got, tt.want)
		}
	}
}

func TestCommandsAreColoured(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"SET lock A NX EX 10", "r{SET} lock A k{NX} k{EX} n{10}"},
		{"GET \"a b\"", "r{GET} s{\"a b\"}"},
		{"", ""},
	} {
		if got := marked([][]Token{Command(tt.source)}); got != tt.want {
			t.Errorf("%q:\ngot  %s\nwant %s", tt.source, got, tt.want)
		}
	}
}

func TestCodeInASentence(t *testing.T) {
	for _, tt := range []struct{ code, want string }{
		{"EXISTS", `<i class="r">EXISTS</i>`},
		{"SET lock A NX", `<i class="r">SET</i> lock A <i class="k">NX</i>`},
		{"KEYS[1]", `<i class="r">KEYS</i>[<i class="n">1</i>]`},
		{"nil", `<i class="k">nil</i>`},
		{"lock()", "lock()"},
		{"redis.call('get', k) == 1", `<i class="r">redis</i>.call(<i class="s">&#39;get&#39;</i>, k) == <i class="n">1</i>`},
		{"A", "A"},
		{"jvm-2", "jvm-2"},
		{"lock1", "lock1"},
		{"R1", "R1"},
		{"a<b", "a&lt;b"},
	} {
		if got := Inline(tt.code); got != tt.want {
			t.Errorf("%s is drawn as %s, want %s", tt.code, got, tt.want)
		}
	}
}

// marked writes each class around its tokens.
func marked(lines [][]Token) string {
	var out []string
	for _, line := range lines {
		var b strings.Builder
		for _, tok := range line {
			if tok.Class == "" {
				b.WriteString(tok.Text)
			} else {
				b.WriteString(tok.Class + "{" + tok.Text + "}")
			}
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "\n")
}

// FuzzTextIsKept looks for code of which something is lost, or that gets out of its
// elements.
func FuzzTextIsKept(f *testing.F) {
	f.Add("local n = redis.call('get', KEYS[1]) -- how often\nreturn n")
	f.Add("[==[ [[ --[")
	f.Fuzz(func(t *testing.T, source string) {
		want := strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
		var lines []string
		for _, line := range Lua(source) {
			var b strings.Builder
			for _, tok := range line {
				b.WriteString(tok.Text)
			}
			lines = append(lines, b.String())
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%q became %q", want, got)
		}
		tag := regexp.MustCompile(`</?i( class="[a-z]")?>`)
		for _, drawn := range []string{Inline(source), Block("lua", source), Block("", source)} {
			if strings.ContainsAny(tag.ReplaceAllString(drawn, ""), "<>") {
				t.Errorf("%q is drawn as %q", source, drawn)
			}
		}
	})
}
