package decode_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const beforeStory = `title: {en: "a", zh: "a"}
summary: {en: "a", zh: "a"}
chapter: more
level: basic
nodes: [n1, n2]
actors:
  A: {program: 'redis.call("PING") redis.call("PING")'}
`

// withStory is a lesson that ends with the text.
func withStory(t *testing.T, text string) *lessons.Lesson {
	t.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-a/lesson.yaml": {Data: []byte(text)}}, "01-a")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func expects(parts ...lessons.Expected) *lessons.Expect { return &lessons.Expect{Parts: parts} }

// part is what is expected under a key: of a name, or of the beat.
func part(key, name string, texts ...string) lessons.Expected {
	return lessons.Expected{Key: key, Name: name, Texts: texts}
}

// Only the expectations become others: what stands around them stays as it was.
func TestRewriteKeepsWhatStandsAround(t *testing.T) {
	little := expects(part("reply", "", "1"))
	for _, c := range []struct{ name, story, want string }{
		{"nothing yet", "story:\n  - run: A\n", "story:\n  - run: A\n    expect: {reply: 1}\n"},
		{
			"more beats", "story:\n  - run: A\n\n  # The next one.\n  - run: A\n    expect: {reply: PONG}\n",
			"story:\n  - run: A\n    expect: {reply: 1}\n\n  # The next one.\n  - run: A\n    expect: {reply: PONG}\n",
		},
		{
			"a key after it", "story:\n  - run: A\n    # What is asked.\n    ask: {question: {en: x, zh: x}, answer: {exists: k}}\nfaults: [crash A]\n",
			"story:\n  - run: A\n    # What is asked.\n    ask: {question: {en: x, zh: x}, answer: {exists: k}}\n    expect: {reply: 1}\nfaults: [crash A]\n",
		},
		{
			"a comment at its end", "story:\n  - run: A\n    say: {en: x, zh: x}\n    # The end.\nfaults: [crash A]\n",
			"story:\n  - run: A\n    say: {en: x, zh: x}\n    expect: {reply: 1}\n    # The end.\nfaults: [crash A]\n",
		},
		{
			"another one", "story:\n  - run: A\n    expect: {reply: PONG} # always\n    say: {en: x, zh: x}\n",
			"story:\n  - run: A\n    expect: {reply: 1}  # always\n    say: {en: x, zh: x}\n",
		},
		{
			"another one of several lines", "story:\n  - run: A\n    expect: # always\n      reply: PONG\n\n      gone: [k]\n    say: {en: x, zh: x}\n",
			"story:\n  - run: A\n    expect: {reply: 1}  # always\n    say: {en: x, zh: x}\n",
		},
		{
			"another one between braces", "story:\n  - run: A\n    expect: {reply: PONG,\n      gone: [k]} # always\n    say: {en: x, zh: x}\n",
			"story:\n  - run: A\n    expect: {reply: 1}  # always\n    say: {en: x, zh: x}\n",
		},
		{
			"another one that is hardly indented", "story:\n  - run: A\n    expect:\n     reply: PONG\n    say: {en: x, zh: x}\n",
			"story:\n  - run: A\n    expect: {reply: 1}\n    say: {en: x, zh: x}\n",
		},
		{"it comes first", "story:\n  - expect: {reply: PONG}\n    run: A\n", "story:\n  - expect: {reply: 1}\n    run: A\n"},
		{"in one line", "story:\n  - {run: A} # here\n", "story:\n  - {run: A, expect: {reply: 1}} # here\n"},
		{"another one in one line", "story:\n  - {run: A, expect: {reply: PONG}, say: {en: x, zh: x}}\n", "story:\n  - {run: A, expect: {reply: 1}, say: {en: x, zh: x}}\n"},
		{"after a Chinese word", "story:\n  - {say: {en: x, zh: 锁}, run: A, expect: {reply: PONG}}\n", "story:\n  - {say: {en: x, zh: 锁}, run: A, expect: {reply: 1}}\n"},
		{"without a line end", "story:\n  - {run: A}", "story:\n  - {run: A, expect: {reply: 1}}"},
		{"beats that are not indented", "story:\n- run: A\nfaults: [crash A]\n", "story:\n- run: A\n  expect: {reply: 1}\nfaults: [crash A]\n"},
	} {
		for _, form := range []struct{ mark, lineEnd string }{{"", "\n"}, {"\uFEFF", "\n"}, {"", "\r\n"}} {
			as := func(story string) string {
				return form.mark + strings.ReplaceAll(beforeStory+story, "\n", form.lineEnd)
			}
			l := withStory(t, as(c.story))
			got, changes, err := decode.Rewrite(l, map[int]*lessons.Expect{0: little})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			want := as(c.want)
			if got != want {
				t.Errorf("%s became\n%q\nwant\n%q", c.name, got, want)
			}
			if len(changes) != 1 || !strings.Contains(strings.Join(changes[0].New, ""), "{reply: 1}") {
				t.Errorf("%s: the changes are %+v", c.name, changes)
			}
		}
	}
}

// A change tells the lines before and after, as check --fix shows them.
func TestRewriteTellsItsChanges(t *testing.T) {
	l := withStory(t, beforeStory+"story:\n  - run: A\n  - run: A\n    expect:\n      reply: PONG\n")
	_, changes, err := decode.Rewrite(l, map[int]*lessons.Expect{0: expects(part("reply", "", "1")), 1: expects(part("reply", "", "2"))})
	want := `[{10 [] [    expect: {reply: 1}]} {11 [    expect:       reply: PONG] [    expect: {reply: 2}]}]`
	if got := fmt.Sprint(changes); err != nil || got != want {
		t.Errorf("the changes are %s, %v; want %s", got, err, want)
	}
}

func TestWhatCannotBeRewrittenIsSaid(t *testing.T) {
	for story, want := range map[string]string{
		"story:\n  - {run: A,\n     say: {en: x, zh: x}}\n": "beat 1: it is written between { and } on several lines: write it with a key on each line",
		"story:\n  - {run: A, expect: }\n":                  "beat 1: its expect is written in a way that cannot be changed: write expect: {}",
		"story: [{run: A}, {run: A}]\n":                     "beat 2: another beat stands in the same line: write each on a line of its own",
	} {
		l := withStory(t, beforeStory+story)
		one := expects(part("reply", "", "1"))
		_, _, err := decode.Rewrite(l, map[int]*lessons.Expect{0: one, 1: one})
		if err == nil || err.Error() != want {
			t.Errorf("of\n%s is said %v, want %s", story, err, want)
		}
	}
	for text, want := range map[string]string{
		"- a\n":         "the lesson is no mapping",
		"title: x\n":    "the lesson has no story",
		"story: x\n":    "the lesson has no story",
		"story: [x\n":   "this [ is not closed",
		"story: [x]\n":  "a beat is no mapping",
		"story: [{}]\n": "beat 1: the beat is empty",
	} {
		_, _, err := decode.Rewrite(&lessons.Lesson{File: "lesson.yaml", YAML: text}, map[int]*lessons.Expect{0: {}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %q is said %v, want %s", text, err, want)
		}
	}
}

// Everything that can be expected is written so that it is read again.
func TestExpectationsAreWritten(t *testing.T) {
	text := func(text string) []string { return []string{text} }
	spans := func(d time.Duration) *engine.Instant { return new(d) }
	items := func(n int) (out []engine.Item) {
		for range n {
			out = append(out, engine.Item{Value: "x"})
		}
		return out
	}
	key := func(k lessons.Expected) *lessons.Expect {
		k.Key, k.Name = "keys", "k"
		return expects(k)
	}
	for _, c := range []struct {
		e    *lessons.Expect
		want string
	}{
		{&lessons.Expect{}, "{}"},
		{expects(part("reply", "", "OK")), "{reply: OK}"},
		{expects(part("reply", "", `"v"`)), `{reply: '"v"'}`},
		{expects(part("error", "", "ERR no")), `{error: "ERR no"}`},
		{expects(part("no-reply", "", "in-node")), "{no-reply: in-node}"},
		{
			expects(part("answers", "A", "OK"), part("answers", "B", "what no reply looks like"), part("answers", "C", "1")),
			"{answers: {A: OK, C: 1}}",
		},
		{expects(part("reply", "", "what no reply looks like")), "{}"},
		{expects(part("failed", "A", "lost"), part("failed", "B", "\xff")), "{failed: {A: lost}}"},
		{expects(part("says", "A", "done")), "{says: {A: done}}"},
		{expects(part("behind", "r", "2"), part("behind", "s", "lost"), part("leads", "m")), "{behind: {r: 2, s: lost}, leads: [m]}"},
		{key(lessons.Expected{TTL: spans(engine.MaxSpan)}), "{keys: {k: {ttl: 876000h}}}"},
		{key(lessons.Expected{TTL: spans(engine.MaxSpan + time.Second)}), "{keys: {k: {}}}"},
		{expects(part("gone", "k"), part("gone", "l")), "{gone: [k, l]}"},
		{expects(part("holds", "s", "A", "A:w"), part("holds", "t")), `{holds: {s: [A, "A:w"], t: []}}`},
		{expects(part("status", "A:w", "failed")), `{status: {"A:w": failed}}`},
		{expects(part("messages", ""), part("woke", "")), "{messages: [], woke: []}"},
		{expects(part("messages", "", "0"), part("woke", "", "A"), part("broken", "", "small")), "{messages: [0], woke: [A], broken: [small]}"},
		{key(lessons.Expected{Type: engine.StringKey, Texts: text("1"), TTL: spans(30 * time.Second)}), "{keys: {k: {type: string, value: 1, ttl: 30s}}}"},
		{key(lessons.Expected{Texts: text("1.50"), TTL: spans(1550 * time.Millisecond)}), "{keys: {k: {value: 1.50}}}"}, // off the lesson's clock
		{key(lessons.Expected{Texts: text("-7"), TTL: spans(0)}), "{keys: {k: {value: -7}}}"},
		{key(lessons.Expected{Texts: text("01"), TTL: spans(engine.NoDeadline)}), `{keys: {k: {value: "01", ttl: none}}}`},
		{key(lessons.Expected{Texts: text("true")}), `{keys: {k: {value: "true"}}}`},
		{key(lessons.Expected{Texts: text("NULL")}), `{keys: {k: {value: "NULL"}}}`},
		{key(lessons.Expected{Texts: text("it's \"so\"")}), `{keys: {k: {value: 'it''s "so"'}}}`},
		{key(lessons.Expected{Texts: text("a: b")}), `{keys: {k: {value: "a: b"}}}`},
		{key(lessons.Expected{Texts: text("")}), `{keys: {k: {value: ""}}}`},
		{key(lessons.Expected{Texts: text("锁")}), `{keys: {k: {value: "锁"}}}`},
		{key(lessons.Expected{Texts: text("a\nb")}), `{keys: {k: {value: "a\nb"}}}`},
		{key(lessons.Expected{Texts: text("30s")}), `{keys: {k: {value: 30s}}}`},
		{key(lessons.Expected{Texts: text("<x>")}), `{keys: {k: {value: "<x>"}}}`},
		{key(lessons.Expected{Texts: text("12345678901234567")}), `{keys: {k: {value: "12345678901234567"}}}`},
		{key(lessons.Expected{Texts: text("\xff"), Type: engine.StringKey}), `{keys: {k: {type: string}}}`}, // no text
		{key(lessons.Expected{Node: "n2", Type: engine.HashKey, Items: []engine.Item{{Name: "f", Value: "1"}, {Name: "g h", Value: "x"}}}), `{keys: {k: {node: n2, type: hash, value: {f: 1, "g h": x}}}}`},
		{key(lessons.Expected{Type: engine.HashKey, Items: []engine.Item{{Name: "", Value: "1"}}}), `{keys: {k: {type: hash}}}`},
		{key(lessons.Expected{Type: engine.HashKey, Items: []engine.Item{{Name: "f", Value: "\xff"}}}), `{keys: {k: {type: hash}}}`},
		{key(lessons.Expected{Type: engine.ListKey, Items: []engine.Item{{Value: "b"}, {Value: "a"}}}), `{keys: {k: {type: list, value: [b, a]}}}`},
		{key(lessons.Expected{Type: engine.SetKey, Items: []engine.Item{{Name: "a"}}}), `{keys: {k: {type: set, value: [a]}}}`},
		{key(lessons.Expected{Type: engine.ListKey, Items: items(1000)}), `{keys: {k: {type: list}}}`}, // too many
		{expects(lessons.Expected{Key: "keys", Name: "\xff", Type: engine.ListKey}), `{}`},
		{
			expects(part("keys", "k", "1"), part("keys", "l", "1"), lessons.Expected{Key: "keys", Name: "k", Node: "n2", Texts: text("-7")}),
			`{keys: {k: [{value: 1}, {node: n2, value: -7}], l: {value: 1}}}`,
		},
	} {
		l := withStory(t, beforeStory+"story:\n  - run: A\n")
		got, _, err := decode.Rewrite(l, map[int]*lessons.Expect{0: c.e})
		_, written, _ := strings.Cut(got, "expect: ")
		if err != nil || written != c.want+"\n" {
			t.Errorf("%+v is written %q, %v; want %q", c.e, written, err, c.want)
		}
	}
}

// A line that would be longer than an editor shows is written on several.
func TestLongExpectationsAreWrittenOnSeveralLines(t *testing.T) {
	long := strings.Repeat("x", 60)
	e := expects(
		part("gone", long), part("gone", long), part("gone", long),
		part("keys", "k", long), lessons.Expected{Key: "keys", Name: "k", Node: "n2", Texts: []string{long}}, lessons.Expected{Key: "keys", Name: "l", Type: engine.StringKey},
	)
	l := withStory(t, beforeStory+"story:\n  - run: A\n")
	got, _, err := decode.Rewrite(l, map[int]*lessons.Expect{0: e})
	want := strings.ReplaceAll(`
    expect:
      keys:
        k:
          - {value: LONG}
          - {node: n2, value: LONG}
        l: {type: string}
      gone: [LONG, LONG, LONG]
`, "LONG", long)
	if err != nil || !strings.HasSuffix(got, want) {
		t.Errorf("%v, it is written\n%s\nwant\n%s", err, got, want)
	}
	for n, lines := range map[int]int{86: 1, 87: 2} { // of 110 columns, the rest takes 24
		l := withStory(t, beforeStory+"story:\n  - run: A\n")
		_, changes, err := decode.Rewrite(l, map[int]*lessons.Expect{0: expects(part("gone", strings.Repeat("锁", n)))})
		if err != nil || len(changes[0].New) != lines {
			t.Errorf("%d characters: %v, %v", n, err, changes)
		}
	}
}
