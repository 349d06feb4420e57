package lessons_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// guarded uses every invariant so that it could break.
const guarded = `
title: {en: "Guarded", zh: "守护"}
summary: {en: "Every invariant could break.", zh: "每条不变式都可能被破坏。"}
chapter: simple
level: basic
scripts:
  take: {source: "return redis.call('set', KEYS[1], 'x', 'NX', 'PX', 10000)"}
actors:
  A: {program: 'redis.eval("take", {"k"}) enter("k") redis.call("INCR", "n") leave("k") redis.call("DEL", "k")'}
  B: {program: 'want("k") subscribe("c") receive("c") enter("k") leave("k")'}
  C: {program: 'redis.call("PUBLISH", "c", "x") redis.call("PING") want("k") enter("k")'}
invariants:
  - mutual-exclusion
  - no-lock-without-ttl
  - released-by-holder
  - waiters-in-order
  - nobody-waits-forever
  - no-idle-wait
  - {name: small, lua: "(n or 0) < 5"}
faults: [pause C]
story:
  - run: A
    expect: {reply: OK}
  - run: B
    expect: {status: {B: waiting}}
  - tick: 1s
    expect: {status: {B: waiting}}
  - do: [run C, pause C, resume C, run C]
    expect: {reply: PONG, broken: [waiters-in-order, mutual-exclusion]}
  - run: A
    expect: {reply: 1}
challenge:
  say: {en: "x", zh: "x"}
  hint: {en: "x", zh: "x"}
  goal: {reach: 1 == 2}
  solution: [run A]
`

// lint is what is said about a lesson when its story alone was played.
func lint(t *testing.T, l *lessons.Lesson) []string {
	t.Helper()
	r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range l.Lint(r.Trace) {
		if p.Line == 0 || p.File != l.File {
			t.Errorf("%s has no place", p.Message)
		}
		out = append(out, string(p.Code)+": "+p.Message.Error())
	}
	return out
}

// TestAnIncidentIsDated: whoever reads of one wants to know whether it can happen to them.
func TestAnIncidentIsDated(t *testing.T) {
	const known = "\ncause: {en: x, zh: x}\naffected: Redisson 3.2.0\ncured: Redisson 3.2.4"
	want := []string{
		`undated: this is an incident, and it lacks "affected"`,
		`undated: this is an incident, and it lacks "cause"`,
		`undated: this is an incident, and it lacks "cured"`,
	}
	if got := slices.Sorted(slices.Values(lint(t, changed(t, guarded, "chapter: simple", "chapter: "+lessons.Incidents)))); !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
	if got := lint(t, changed(t, guarded, "chapter: simple", "chapter: "+lessons.Incidents+known)); len(got) > 0 {
		t.Errorf("of a dated one it says %q", got)
	}
}

// TestALessonAboutAProductSaysWhichVersions: a script of one's own has no sources and no versions.
func TestALessonAboutAProductSaysWhichVersions(t *testing.T) {
	const warned = "no-versions: this lesson names sources, and not which versions behave as it shows"
	for more, want := range map[string]string{
		"":                        "",
		"\nsources: [the manual]": warned,
		"\nsources: [the manual]\nversions: every Redis":         "",
		"\nsources: [the manual]\naffected: Redisson 3.2.0 (#1)": "",
	} {
		if got := strings.Join(lint(t, changed(t, guarded, "chapter: simple", "chapter: simple"+more)), "; "); got != want {
			t.Errorf("with %q it says %q, want %q", more, got, want)
		}
	}
}

// ask is the last beat with a question.
func ask(answer string) string {
	return "  - run: A\n    ask: {question: {en: \"x?\", zh: \"x？\"}, answer: {" + answer + "}}\n    expect: {reply: 1}"
}

func TestLessonsThatProveLess(t *testing.T) {
	for _, c := range []struct{ name, old, new, old2, new2, want string }{
		{name: "nothing is missing"},
		{
			name: "an actor more", old: "invariants:\n", new: "  D: {program: 'redis.call(\"PING\")'}\ninvariants:\n",
			want: `idle-actor: the actor "D" never moves`,
		},
		{
			name: "a script more", old: "actors:\n", new: "  give: {source: \"return 1\"}\nactors:\n",
			want: `unused-script: the script "give" never runs`,
		},
		{
			name: "a script that a program may run", old: "actors:\n", new: "  PING: {source: \"return 1\"}\nactors:\n",
		},
		{
			name: "a fault more", old: "[pause C]", new: "[pause C, crash A]",
			want: `unused-fault: neither the story nor the challenge uses the fault "crash A"`,
		},
		{
			name: "a fault more that a repair has to bear", old: "[pause C]", new: "[pause C, crash A]",
			old2: "{reach: 1 == 2}\n  solution: [run A]", new2: "{repair: small, faults: {crash: 1}}\n  edits: {\"program:A\": 'redis.call(\"PING\")'}",
		},
		{
			name: "a comment in both languages", old: `enter("k")'}` + "\ninvariants:", new: `enter("k") -- last'}` + "\nwords: [{en: -- last, zh: -- 最后}]\ninvariants:",
		},
		{
			name: "a comment in one language, and words that nothing says", old: `enter("k")'}` + "\ninvariants:", new: `enter("k") -- last'}` + "\nwords: [{en: first, zh: 最先}]\ninvariants:",
			want: `missing-language: the comment "-- last" stands there in one language only` + "\n" + `unknown-name: no source of this lesson says "first"`,
		},
		{
			name: "a first sentence of 201 characters", old: "story:\n", new: "story:\n  - say: {en: \"" + strings.Repeat("x", 200) + ". And more.\", zh: x}\n",
			want: "long-lead: the first sentence of this beat has 201 characters",
		},
		{
			name: "a first sentence of 200 characters", old: "story:\n", new: "story:\n  - say: {en: \"" + strings.Repeat("x", 199) + ". " + strings.Repeat("And more. ", 30) + "\", zh: " + strings.Repeat("字", 199) + "。" + strings.Repeat("还有。", 80) + "}\n",
		},
		{
			name: "a first sentence of 201 Chinese characters", old: "story:\n", new: "story:\n  - say: {en: x, zh: " + strings.Repeat("字", 200) + "。}\n",
			want: "long-lead: the first sentence of this beat has 201 characters",
		},
		{
			name: "a silent beat", old: "    expect: {reply: OK}\n",
			want: "expects-nothing: this beat makes a move and expects nothing of it",
		},
		{
			name: "a rule over what nobody touches", old: "(n or 0) < 5", new: "(m or 0) < 5",
			want: "idle-invariant: nothing that is played could break small: no step changes anything that it looks at",
		},
		{name: "a rule over a section", old: "(n or 0) < 5", new: "inside('k') < 5"},
		{name: "a rule that looks by a function", old: "(n or 0) < 5", new: "not exists('n') or get('n') < 5"},
		{
			name: "a rule over nothing", old: "(n or 0) < 5", new: "1 < 5",
			want: "idle-invariant: nothing that is played could break small: no step changes anything that it looks at",
		},
		{
			name: "a key gone that never was", old: "    expect: {reply: 1}", new: "    expect: {reply: 1, gone: [kk]}",
			want: `idle-expect: there is never a key "kk" in what is played: that it is gone proves nothing`,
		},
		{name: "a key gone that comes later", old: "    expect: {reply: OK}", new: "    expect: {reply: OK, gone: [n]}"},
		{
			name: "nobody in a section that is never entered", old: "    expect: {reply: 1}", new: "    expect: {reply: 1, holds: {kk: []}}",
			want: `idle-expect: there is never a section "kk" in what is played: that nobody is in it proves nothing`,
		},
		{name: "nobody in a section that is entered and left at once", old: "    expect: {reply: 1}", new: "    expect: {reply: 1, holds: {k: []}}"},
		{
			name: "who is in a section that is never entered", old: "  - run: A\n    expect: {reply: 1}", new: ask("holder: kk"),
			want: `idle-expect: there is never a section "kk" in what is played: the answer is nobody, whatever happens`,
		},
		{
			name: "whether a key exists that never does", old: "  - run: A\n    expect: {reply: 1}", new: ask("exists: kk"),
			want: `idle-expect: there is never a key "kk" in what is played: the answer is always the same`,
		},
		{name: "whether a key exists", old: "  - run: A\n    expect: {reply: 1}", new: ask("exists: k")},
		{
			name: "a meaning too few", old: "'PX', 10000)\"}", new: "'PX', 10000)\", keys: []}",
			want: `meanings: the script "take" is called with 1 KEYS, and keys gives the meaning of 0`,
		},
		{
			name: "a meaning too many", old: "'PX', 10000)\"}", new: "'PX', 10000)\", keys: [lock], args: [owner]}",
			want: `meanings: the script "take" is called with 0 ARGV, and args gives the meaning of 1`,
		},
		{name: "meanings of KEYS alone", old: "'PX', 10000)\"}", new: "'PX', 10000)\", keys: [lock]}"},
		{
			name: "meanings of a call that leaves out the last", old: "take: {source: \"return redis.call('set', KEYS[1], 'x', 'NX', 'PX', 10000)\"}",
			new:  "take: {source: \"return redis.call('set', KEYS[1], 'x', 'NX', 'PX', 10000)\", keys: [lock], args: [owner]}",
			old2: `redis.call("PUBLISH", "c", "x") redis.call("PING")`, new2: `redis.call("PUBLISH", "c", "x") redis.eval("take", {"m"}, {me})`,
		},
		{
			name: "a node more", old: "scripts:\n", new: "nodes: [redis, other]\nscripts:\n",
			want: `unused-node: nobody asks the server "other"`,
		},
		{
			name: "a replica that nothing reaches", old: "scripts:\n", new: "nodes: {redis: {}, other: {replica-of: redis}}\nscripts:\n",
			want: `unused-node: nobody asks the server "other"`,
		},
		{
			name: "a replica whose link may be cut", old: "[pause C]", new: "[pause C, cut redis other]\nnodes: {redis: {}, other: {replica-of: redis}}",
			old2: "    expect: {reply: 1}\n", new2: "    expect: {reply: 1}\n  - cut: redis other\n    expect: {behind: {other: 4}}\n",
		},
		{
			name: "a leader that is never another", old: "scripts:\n", new: "nodes: {redis: {}, other: {replica-of: redis}}\nscripts:\n",
			old2: "expect: {reply: OK}", new2: "expect: {reply: OK, leads: [redis]}",
			want: "unused-node: nobody asks the server \"other\"\nidle-expect: redis leads from the start to the end of what is played: that it does proves nothing",
		},
		{
			name: "a node that a program may ask", old: "scripts:\n", new: "nodes: [redis, other]\nscripts:\n",
			old2: `redis.call("DEL", "k")`, new2: `redis.call("DEL", "k") node("other").call("PING")`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := guarded
			if c.old2 != "" {
				text = strings.Replace(text, c.old2, c.new2, 1)
			}
			got := strings.Join(lint(t, changed(t, text, c.old, c.new)), "\n")
			if got != c.want {
				t.Errorf("it is said\n%s\nand not\n%s", got, c.want)
			}
		})
	}
}

func TestABeatThatExpectsOneThingIsNotSilent(t *testing.T) {
	for _, part := range []string{
		"reply: OK", "error: ERR", "keys: {k: {type: string}}", "gone: [n]", "holds: {k: [A]}", "status: {A: ready}", "messages: []", "broken: []", "woke: []",
	} {
		if said := lint(t, changed(t, guarded, "expect: {reply: OK}", "expect: {"+part+"}")); len(said) > 0 {
			t.Errorf("of a beat that expects %s is said %q", part, said)
		}
	}
}

// TestInvariantsThatCannotBreak leaves out of the lesson what each of them needs.
func TestInvariantsThatCannotBreak(t *testing.T) {
	for _, name := range engine.RuleNames() {
		text := guarded
		switch name {
		case "waiters-in-order":
			text = strings.ReplaceAll(text, "want(\"k\") ", "")
		case "nobody-waits-forever", "no-idle-wait":
			text = strings.Replace(text, "subscribe(\"c\") receive(\"c\")", "redis.call(\"PING\") sleep(\"1s\")", 1)
		default:
			text = strings.NewReplacer(`enter("k")`, "", `leave("k")`, "", `want("k")`, "").Replace(text)
		}
		said := strings.Join(lint(t, changed(t, text, "", "")), "\n")
		want := "idle-invariant: nothing that is played could break " + name + ": "
		if !strings.Contains(said, want) {
			t.Errorf("of %s is not said that it cannot break:\n%s", name, said)
		}
	}
}

func TestALessonWithoutAnyExpectation(t *testing.T) {
	var lines []string
	for line := range strings.SplitSeq(guarded, "\n") {
		if !strings.Contains(line, "expect:") {
			lines = append(lines, line)
		}
	}
	got := lint(t, changed(t, strings.Join(lines, "\n"), "story:\n", "story:\n  - say: {en: \"x\", zh: \"x\"}\n"))
	if !slices.Contains(got, "proves-nothing: no beat of this story expects anything, so that nothing is ever checked") || len(got) != 1 {
		t.Errorf("it is said %q", got)
	}
}

// TestACommentIsPointedAt: a comment without its words is found where it stands.
func TestACommentIsPointedAt(t *testing.T) {
	l := changed(t, guarded, `  C: {program: '`, "  D:\n    program: |\n      redis.call(\"PING\")  -- 先看 now\n      redis.call(\"PING\")\n"+"  C: {program: '")
	l.Words = lessons.Words{{En: "x", Zh: "x"}}
	for _, p := range l.Lint() {
		if p.Code != lessons.CodeMissingLanguage {
			continue
		}
		line := []rune(strings.Split(l.YAML, "\n")[p.Line-1])
		if got := string(line[p.Col-1 : p.EndCol-1]); got != "-- 先看 now" {
			t.Errorf("%q is pointed at", got)
		}
		return
	}
	t.Error("it is not told")
}

// An author's own lock client is shown in both languages, too.
func TestACommentOfAClientIsPointedAt(t *testing.T) {
	l := changed(t, guarded, `  C: {program: '`, `  C: {program: '`)
	l.Words = lessons.Words{{En: "x", Zh: "x"}}
	l.Client = lessons.Client{Name: "own", File: "clients/own.lua", Source: "function lock(name)\n  enter(name) -- 进来\nend"}
	for _, p := range l.Lint() {
		if p.Code == lessons.CodeMissingLanguage {
			if p.Place != (lessons.Place{File: "clients/own.lua", Line: 2, Col: 15, EndCol: 20}) {
				t.Errorf("%v to %d is pointed at", p.Place, p.EndCol)
			}
			return
		}
	}
	t.Error("it is not told")
}

// TestARepairSpeaksBothLanguages: whoever gives up is shown the repair, with its comments.
func TestARepairSpeaksBothLanguages(t *testing.T) {
	l := *lessons.Find(builtIn(t), "abandoned-future")
	l.Words = slices.DeleteFunc(slices.Clone(l.Words), func(w lessons.Text) bool { return w.En == "-- future.cancel(true)" || w.En == "-- lockAsync(1002)" })
	var got []string
	for _, p := range l.Lint() {
		if p.Code == lessons.CodeMissingLanguage {
			got = append(got, p.Message.Error())
		}
	}
	want := []string{
		`the comment "-- lockAsync(1002)" stands there in one language only`, // once, though the repair has it, too
		`the comment "-- future.cancel(true)" stands there in one language only`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
}

// TestTheBuiltInLessonsProveAllThatTheySay keeps warnings out of them.
func TestTheBuiltInLessonsProveAllThatTheySay(t *testing.T) {
	all := builtIn(t)
	played := 0
	for _, l := range all {
		r, err := lessons.Check(t.Context(), l, l.Open(lessons.Embedded))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range append(append(l.Warnings, r.Problems...), l.Lint(append([]*engine.Trace{r.Trace}, r.Solutions...)...)...) {
			if p.Severity != lessons.Hint {
				t.Error(p)
			}
		}
		if len(r.Solutions) > 0 && r.Solutions[0] != nil {
			played++
		}
	}
	if played < 5 {
		t.Errorf("%d lessons have a challenge with a solution that was played", played)
	}
}
