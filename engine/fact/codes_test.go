package fact

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	toldFact = regexp.MustCompile(`(?:fact\.Of|wording)\("([^"]+)"|Reason[A-Z][a-z]+ += "([^"]+)"|(?:what|none): ?"([a-z-]+)"|(?:[wW]rite|need)(?::| =) ?"(lesson-[a-z-]+)"|"(refused-[a-z-]+)"|offClock\([^"]+"([^"]+)"`)
	aVerb    = regexp.MustCompile(`%(\[([0-9])\])?[a-z]`)
)

// Every fact that the other packages tell has words in both languages, with the same
// arguments, and there are no words that nobody needs.
func TestEveryFactIsToldInBothLanguages(t *testing.T) {
	codes := map[string]bool{"text": true}
	for _, layer := range []string{"..", "../../lessons", "../../luaexec", "../../node", "../../attach", "../../redistest", "../../cmd", "../../web"} {
		err := fs.WalkDir(os.DirFS(layer), ".", func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := fs.ReadFile(os.DirFS(layer), path)
			for _, m := range toldFact.FindAllStringSubmatch(string(source), -1) {
				codes[strings.Join(m[1:], "")] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for code := range codes {
		row := words[code]
		if slices.Contains(row[:], "") || !slices.Equal(verbs(row[English]), verbs(row[Chinese])) {
			t.Errorf("%s: %q", code, row)
		}
	}
	for code := range words {
		if !codes[code] {
			t.Errorf("nobody tells %s", code)
		}
	}
}

// verbs are what a format makes of its arguments, in their order.
func verbs(format string) []string {
	var out []string
	for i, m := range aVerb.FindAllStringSubmatch(format, -1) {
		place := string(rune('1' + i))
		if m[2] != "" {
			place = m[2]
		}
		out = append(out, place)
	}
	slices.Sort(out)
	return slices.Compact(out) // a language may name a thing twice
}

// A sentence that another one ends with has no full stop of its own.
func TestASentenceWithinASentenceHasNoFullStop(t *testing.T) {
	say := func(arg any) any { return arg }
	f := Of("fell-back", Of("no-engine", "nope"))
	for l, want := range map[Language]string{
		English: `The requested engine is not available, so the embedded one is used: There is no engine "nope".`,
		Chinese: `请求的引擎不可用，已改用内置引擎：没有 "nope" 这个引擎。`,
	} {
		if got := l.Tell(f, say); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// The full stop of what is quoted in the middle of a sentence stays, as it is its own.
func TestASentenceWithinTheMiddleOfAnotherKeepsItsFullStop(t *testing.T) {
	words["first-then"] = [languages]string{"%s And then: %s.", "%s然后：%s。"}
	t.Cleanup(func() { delete(words, "first-then") })
	got := English.Tell(Of("first-then", Of("no-engine", "a"), Of("no-engine", "b")), func(arg any) any { return arg })
	if want := `There is no engine "a". And then: There is no engine "b".`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Names are told as people tell them, however many there are.
func TestNamesAreJoined(t *testing.T) {
	say := func(arg any) any { return arg }
	for n, want := range []string{"", "A", "A and B", "A, B and C"} {
		if got := English.Tell(Text(Names([]string{"A", "B", "C"}[:n])), say); got != want {
			t.Errorf("%d names are told as %q, want %q", n, got, want)
		}
	}
	if got := Chinese.Tell(Text(OneOf{"A", "B"}), say); got != "A 或 B" {
		t.Errorf("one of two is told as %q", got)
	}
}
