package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine"
	"lockstep/lessons"
)

var verb = regexp.MustCompile(`%(\[\d+\])?[a-z]`)

// Every message is there in both languages and takes the same arguments.
func TestMessagesAreWhole(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") {
			continue
		}
		for _, m := range literals(t, name) {
			found++
			if m.en == "" || m.zh == "" {
				t.Errorf("%s: %q / %q lacks a language", name, m.en, m.zh)
			}
			if n, k := len(verb.FindAllString(m.en, -1)), len(verb.FindAllString(m.zh, -1)); n != k {
				t.Errorf("%s: %q takes %d arguments, %q takes %d", name, m.en, n, m.zh, k)
			}
			if strings.ContainsFunc(m.en, func(r rune) bool { return unicode.Is(unicode.Han, r) }) && m.zh != "English" {
				t.Errorf("%s: %q is not English", name, m.en)
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d messages were found", found)
	}
}

// literals finds the messages of a file: pairs of string literals in braces.
func literals(t *testing.T, name string) []msg {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []msg
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) != 2 || !isMessage(lit) {
			return true
		}
		var texts []string
		for _, e := range lit.Elts {
			if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING {
				text, err := strconv.Unquote(b.Value)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, text)
			}
		}
		if len(texts) == 2 {
			out = append(out, msg{texts[0], texts[1]})
		}
		return true
	})
	return out
}

func isMessage(lit *ast.CompositeLit) bool {
	id, ok := lit.Type.(*ast.Ident)
	return lit.Type == nil || ok && id.Name == "msg"
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		reason engine.Reason
		en, zh string
	}{
		{engine.Reason{}, "", ""},
		{engine.Reason{Code: engine.ReasonSleeping, At: 12_500_000_000}, "sleeps until t = 12.5 s", "休眠到 t = 12.5 秒"},
		{engine.Reason{Code: engine.ReasonWaiting, Name: "ch", At: engine.NoDeadline}, "waits for a message", "正在等待消息"},
		{engine.Reason{Code: engine.ReasonWaiting, Name: "ch", At: 30_000_000_000}, "waits until t = 30 s", "等待到 t = 30 秒"},
		{engine.Reason{Code: engine.ReasonPaused, Name: "jvm-1"}, "its process jvm-1 is paused", "所在进程 jvm-1 已暂停"},
		{engine.Reason{Code: engine.ReasonCrashed, Name: "jvm-1"}, "its process jvm-1 has crashed", "所在进程 jvm-1 已崩溃"},
		{engine.Reason{Code: engine.ReasonDone}, "its program has ended", "程序已结束"},
		{engine.Reason{Code: engine.ReasonFailed, Name: "boom"}, "its program failed: boom", "程序已失败：boom"},
		{engine.Reason{Code: engine.ReasonNothingDue}, "no timer or deadline lies ahead", "之后没有任何定时或到期事件"},
		{engine.Reason{Code: engine.ReasonNotPaused, Name: "jvm-1"}, "the process jvm-1 is not paused", "进程 jvm-1 没有暂停"},
		{engine.Reason{Code: engine.ReasonNoMessage, Name: "jvm-1"}, "no message waits in jvm-1", "jvm-1 没有待接收的消息"},
		{engine.Reason{Code: engine.ReasonUnknown, Name: "Z"}, "this lesson has no Z", "本课没有 Z"},
	} {
		if got := ReasonText(lessons.En, tt.reason); got != tt.en {
			t.Errorf("%s in English: %q, want %q", tt.reason.Code, got, tt.en)
		}
		if got := ReasonText(lessons.Zh, tt.reason); got != tt.zh {
			t.Errorf("%s in Chinese: %q, want %q", tt.reason.Code, got, tt.zh)
		}
	}
}

// The engine's own rules speak English; what they say must have a translation.
func TestEveryRuleSpeaksChinese(t *testing.T) {
	held := engine.Holding{Section: "anyLock", Actors: []string{"A", "B"}}
	lock := engine.Key{Name: "anyLock", Type: engine.HashKey, Deadline: engine.NoDeadline}
	before := &engine.Snapshot{Wanted: []engine.Holding{{Section: "anyLock", Actors: []string{"B"}}}}
	step := &engine.Step{
		Choice:  engine.Choice{Kind: engine.Run, Target: "C"},
		Changes: []engine.Change{{Node: "redis", Key: "anyLock", Old: &lock}},
		Notes:   []engine.Note{{Actor: "C", Kind: engine.NoteEnter, Text: "anyLock"}},
		After: engine.Snapshot{
			Held:   []engine.Holding{held},
			Nodes:  []engine.NodeView{{Node: "redis", Keys: []engine.Key{lock}}},
			Actors: []engine.ActorState{{Name: "D", Status: engine.Waiting}},
		},
	}
	var names []string
	for _, name := range engine.RuleNames() {
		names = append(names, name)
		if _, ok := invariantTexts[name]; !ok {
			t.Errorf("the rule %s has no text", name)
		}
		rule, _ := engine.Rule(name)
		broken, err := rule.Check(before, step)
		if err != nil || len(broken) == 0 {
			t.Errorf("%s: %v, %v: this scene should break it", name, broken, err)
		}
		for _, v := range broken {
			if text := violationText(lessons.Zh, v); text == v.Detail || strings.Contains(text, "%!") {
				t.Errorf("%s: %q in Chinese is %q", name, v.Detail, text)
			}
		}
	}
	for name := range invariantTexts {
		if !slices.Contains(names, name) {
			t.Errorf("there is a text for %s, which is no rule", name)
		}
	}
}
