package ui

import (
	"bytes"
	"compress/flate"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/lessons"
)

var (
	update  = flag.Bool("update", false, "write the goldens anew")
	printTo = flag.String("print", "", "write the storybook as HTML files into this folder")
)

var languages = []lessons.Lang{lessons.En, lessons.Zh}

func render(t testing.TB, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var fragmentID = regexp.MustCompile(`\bid="(f-[a-z]+)"`)

func TestPageHoldsExactlyTheFragments(t *testing.T) {
	for _, p := range storybook {
		t.Run(p.name, func(t *testing.T) {
			v := p.view(lessons.En)
			var want []string
			for _, f := range Fragments(v) {
				html := render(t, f.Component)
				ids := fragmentID.FindAllStringSubmatch(html, -1)
				if len(ids) != 1 || ids[0][1] != f.ID {
					t.Errorf("the fragment %s holds the ids %v", f.ID, ids)
				}
				want = append(want, f.ID)
			}
			var got []string
			for _, m := range fragmentID.FindAllStringSubmatch(render(t, Page(v, shell)), -1) {
				got = append(got, m[1])
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("the page holds %v, the fragments are %v", got, want)
			}
		})
	}
}

var shell = Shell{File: func(name string) string { return "static/" + name }, Socket: "ws", Root: "/", Build: "test"}

var anyID = regexp.MustCompile(`\bid="([^"]+)"`)

func TestIdsAreUniqueAndReferencesResolve(t *testing.T) {
	refs := regexp.MustCompile(`\b(?:aria-describedby|aria-labelledby|popovertarget|for)="([^"]+)"|href="#([^"]+)"`)
	for _, p := range storybook {
		html := render(t, Page(p.view(lessons.Zh), shell))
		ids := map[string]bool{}
		for _, m := range anyID.FindAllStringSubmatch(html, -1) {
			if ids[m[1]] {
				t.Errorf("%s: the id %q appears twice", p.name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range refs.FindAllStringSubmatch(html, -1) {
			if id := m[1] + m[2]; !ids[id] {
				t.Errorf("%s: %q is referred to and not there", p.name, id)
			}
		}
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	if html := render(t, Page(overflowView(lessons.En), shell)); strings.Contains(html, "<script>alert") {
		t.Error("a key's name came through as markup")
	}
}

func TestNoInlineStyles(t *testing.T) {
	// The server's Content-Security-Policy allows none.
	for _, p := range storybook {
		if strings.Contains(render(t, Page(p.view(lessons.En), shell)), "style=") {
			t.Errorf("%s: there is a style attribute", p.name)
		}
	}
}

// A step must stay small on the wire: only fragments that differ are sent. The first
// frame holds all of them.
func TestAStepIsSmall(t *testing.T) {
	const (
		most, maxDeflated            = 18 << 10, 4352
		mostAtFirst, deflatedAtFirst = 23 << 10, 5632 // labels too long for a phone stand there twice
	)
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "released" })].view(lessons.En)
	sent := map[string]string{}
	for pos := 0; pos <= len(v.Trace.Steps); pos++ {
		v.Pos = pos
		var wire bytes.Buffer
		for _, f := range Fragments(v) {
			html := render(t, f.Component)
			if sent[f.ID] != html {
				wire.WriteString(html)
			}
			sent[f.ID] = html
			for _, row := range f.Rows {
				if sent[row.ID] != row.HTML {
					wire.WriteString(row.HTML)
				}
				sent[row.ID] = row.HTML
			}
		}
		size, deflated := wire.Len(), deflate(t, wire.Bytes())
		t.Logf("step %d: %d bytes, %d deflated", pos, size, deflated)
		limit, deflatedLimit := most, maxDeflated
		if pos == 0 {
			limit, deflatedLimit = mostAtFirst, deflatedAtFirst
		}
		if size > limit || deflated > deflatedLimit {
			t.Errorf("step %d takes %d bytes, %d deflated: more than %d and %d", pos, size, deflated, limit, deflatedLimit)
		}
	}
}

func deflate(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// Readers share a section: two in one are a clash only where the lesson says so.
func TestTwoInASectionAreAClashWhereTheLessonSaysSo(t *testing.T) {
	for _, p := range storybook {
		if p.name != "broken" {
			continue
		}
		v := p.view(lessons.En)
		shared := *v.Lesson
		shared.Invariants = nil
		for _, l := range []*lessons.Lesson{v.Lesson, &shared} {
			v.Lesson = l
			html := render(t, inside(&v))
			if clash := strings.Contains(html, heldTwo.en) && strings.Contains(html, "clash"); clash != (len(l.Invariants) > 0) {
				t.Errorf("with the invariants %v a clash is shown: %t", l.Invariants, clash)
			}
		}
		v.Trace.Steps[v.Pos-1].Broken = []engine.Violation{{Invariant: "one-writer", Looked: []engine.Place{{Key: v.Snapshot().Held[0].Section}}}}
		if html := render(t, inside(&v)); !strings.Contains(html, "clash") {
			t.Error("a rule of the lesson's own has broken with both inside, and no clash is shown")
		}
		return
	}
	t.Fatal("the storybook has no such page")
}

// Who enters a section again is shown in it once, with how often.
func TestASectionEnteredAgainIsCounted(t *testing.T) {
	for _, p := range storybook {
		if p.name != "broken" {
			continue
		}
		v := p.view(lessons.En)
		who := &v.Snapshot().Actors[0]
		who.Inside = []string{"order", "other", "order"}
		html := render(t, actors(&v, true))
		for _, text := range []string{"inside order ×2", "inside other"} {
			if strings.Count(html, text) != 1 {
				t.Errorf("%q is shown %d times", text, strings.Count(html, text))
			}
		}
		return
	}
	t.Fatal("the storybook has no such page")
}

// TestPrintStorybook writes the pages for looking at: go test -run Print -print DIR.
func TestPrintStorybook(t *testing.T) {
	dir := *printTo
	if dir == "" {
		dir = t.TempDir()
	}
	for _, lang := range languages {
		pages := map[string]templ.Component{
			"home":  Home(lang, catalog(lesson()), map[string]string{"new": "01-new/lesson.yaml:4:10: <b>"}, &Gallery{}, shell),
			"new":   BrokenPage(lang, "new", "01-new/lesson.yaml:4:10: <b>", shell),
			"error": ErrorPage(lang, 404, "There is no lesson <b>“99-nothing”</b>.", shell),
		}
		for _, p := range storybook {
			pages[p.name] = Page(p.view(lang), shell)
		}
		for name, c := range pages {
			html := render(t, c)
			if !strings.Contains(html, "</html>") {
				t.Errorf("%s in %s is not a whole page", name, lang)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"."+string(lang)+".html"), []byte(html), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
