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
	"lockstep/engine/fact"
	"lockstep/engine/search"
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

// What the engine's own rules say has both languages, and so have their names.
func TestEveryRuleSpeaksChinese(t *testing.T) {
	held := engine.Holding{Section: "anyLock", Actors: []string{"A", "B"}}
	lock := engine.Key{Name: "anyLock", Type: engine.HashKey, Deadline: engine.NoDeadline}
	before := &engine.Snapshot{
		Wanted: []engine.Holding{{Section: "anyLock", Actors: []string{"B"}}},
		Actors: []engine.ActorState{{Name: "B", Status: engine.Waiting}},
	}
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
		step.Choice.Kind = engine.Run
		if name == "no-idle-wait" {
			step.Choice.Kind = engine.Tick
		}
		broken, err := rule.Check(before, step)
		if err != nil || len(broken) == 0 {
			t.Errorf("%s: %v, %v: this scene should break it", name, broken, err)
		}
		for _, v := range broken {
			if text := Tell(lessons.Zh, v.Detail); text == v.Detail.Error() || strings.Contains(text, "%!") {
				t.Errorf("%s: %q in Chinese is %q", name, v.Detail, text)
			}
		}
	}
	starves := search.NobodyStarves{}.Name()
	if text := Tell(lessons.Zh, fact.Of(starves, "A", "lock")); !strings.Contains(text, "lock") || strings.Contains(text, "%!") {
		t.Errorf("%s in Chinese: %q", starves, text)
	}
	names = append(names, starves)
	for name := range invariantTexts {
		if !slices.Contains(names, name) {
			t.Errorf("there is a text for %s, which is not a rule", name)
		}
	}
}

func TestEveryChapterHasATitle(t *testing.T) {
	for _, c := range lessons.Chapters {
		if title := chapterTitles[c]; title.En == "" || title.Zh == "" {
			t.Errorf("the chapter %s has the title %q", c, title)
		}
	}
}

// Each kind of choice has words for all that it can be about, and no words are left over.
func TestEveryKindOfChoiceHasWords(t *testing.T) {
	after := engine.Snapshot{
		Actors: []engine.ActorState{{Name: "A", Process: "p"}},
		Nodes:  []engine.NodeView{{Node: "n"}, {Node: "m"}},
	}
	said := map[words]bool{}
	for _, row := range engine.ChoiceKinds {
		for _, c := range everyChoice(t, row) {
			w := wordsFor(&after, c)
			said[w] = true
			if c.Kind.Costs() && choiceWords[string(c.Kind)].bounded == (msg{}) {
				t.Errorf("a search has no name for the fault %s", c.Kind)
			}
			if w.may == (msg{}) || c.Kind.IsFault() && w.did == (msg{}) {
				t.Errorf("%s has the words %v", c, w)
			}
			step := &engine.Step{Choice: c, Lost: "hello", After: after}
			for _, lang := range languages {
				for _, text := range []string{choiceText(lang, &after, c), headline(lang, step)} {
					if strings.Contains(text, "%!") || text == "" {
						t.Errorf("%s: %q", c, text)
					}
				}
			}
			offers := after
			offers.Options = []engine.Option{{Choice: c}}
			if c.Kind.IsFault() && c.Kind != engine.Replicate && len(faultMenus(&offers)) == 0 {
				t.Errorf("%s is offered nowhere", c)
			}
		}
	}
	if len(said) != len(choiceWords) {
		t.Errorf("%d of %d words are said", len(said), len(choiceWords))
	}
}

// everyChoice is each thing that choices of a kind can be about: A is an actor of the
// process p, n and m are nodes.
func everyChoice(t *testing.T, row engine.KindOfChoice) []engine.Choice {
	t.Helper()
	targets := map[engine.Object][]string{
		engine.AnActor: {" A"}, engine.TheClock: {"", " 1s"}, engine.AProcess: {" p"}, engine.ANode: {" n"}, engine.AMachine: {" p", " n"},
		engine.ALink: {" p n", " n p", " n m"}, engine.AClock: {" p -2s", " n +10s"},
	}[row.Of]
	if row.May != "" {
		targets = append(targets, " n "+row.May)
	}
	var cs []engine.Choice
	for _, target := range targets {
		c, err := engine.ParseChoice(string(row.Kind) + target)
		if err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	return cs
}

// What an actor can be doing, and why a request has no reply, has words.
func TestEveryStatusHasWords(t *testing.T) {
	for _, s := range []engine.Status{
		engine.Ready, engine.Waiting, engine.Blocked, engine.Unanswered, engine.Sleeping, engine.Paused, engine.Crashed, engine.Finished, engine.Failed,
	} {
		if statusWords[string(s)] == (msg{}) {
			t.Errorf("%s has no words", s)
		}
	}
	for _, n := range []engine.NoReply{engine.RequestLost, engine.ReplyLost, engine.NodePaused, engine.InNode} {
		if noReplyWords[n].said == (msg{}) || noReplyWords[n].short == (msg{}) {
			t.Errorf("%s has no words", n)
		}
	}
}
