package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/lessons"
)

var betweenTags = regexp.MustCompile(`>\s*<`)

// TestGoldens holds the components whose markup matters most: go test -update
// writes them anew.
func TestGoldens(t *testing.T) {
	for _, tt := range []struct {
		scene, fragment string
		lang            lessons.Lang
	}{
		{"start", "f-keys", lessons.En},
		{"start", "f-clock", lessons.Zh},
		{"prediction", "f-story", lessons.En},
		{"waiter", "f-actors", lessons.En},
		{"waiter", "f-story", lessons.Zh},
		{"released", "f-keys", lessons.En},
		{"released", "f-channels", lessons.Zh},
		{"released", "f-timeline", lessons.En},
		{"beside", "f-beside", lessons.En},
		{"beside an engine", "f-beside", lessons.Zh},
		{"prediction", "f-lead", lessons.En},
		{"crashed", "f-faults", lessons.En},
		{"expired", "f-keys", lessons.Zh},
		{"broken", "f-broken", lessons.Zh},
		{"broken", "f-inside", lessons.En},
		{"broken", "f-timeline", lessons.En},
		{"broken", "f-ticks", lessons.En},
		{"broken", "f-now", lessons.En},
		{"fair", "f-keys", lessons.En},
		{"fair", "f-call", lessons.En},
		{"inside a call", "f-call", lessons.En},
		{"inside a call", "f-keys", lessons.Zh},
		{"inside after a gap", "f-call", lessons.En},
		{"inside after a gap", "f-script", lessons.En},
		{"inside after a gap", "f-ran", lessons.En},
		{"inside after a gap", "f-actors", lessons.Zh},
		{"inside a failed call", "f-ran", lessons.Zh},
		{"inside a failed call", "f-call", lessons.Zh},
		{"start", "f-program", lessons.En},
		{"waiter", "f-client", lessons.En},
		{"waiter", "f-values", lessons.En},
		{"waiter", "f-program", lessons.En},
		{"a waiter's code", "f-client", lessons.Zh},
		{"released", "f-client", lessons.Zh},
		{"released", "f-program", lessons.En},
		{"crashed", "f-client", lessons.En},
		{"the watchdog's code", "f-threads", lessons.En},
		{"the watchdog's code", "f-program", lessons.En},
		{"the watchdog's code", "f-values", lessons.Zh},
		{"inside a call", "f-client", lessons.En},
		{"overflow", "f-client", lessons.Zh},
		{"start", "f-lines", lessons.Zh},
		{"waiter", "f-lines", lessons.En},
		{"on a client's line", "f-lines", lessons.En},
		{"on a client's line", "f-client", lessons.Zh},
		{"on a client's line", "f-program", lessons.En},
		{"on a client's line", "f-values", lessons.En},
		{"past", "f-place", lessons.En},
		{"past", "f-transport", lessons.En},
		{"past", "f-scrub", lessons.Zh},
		{"past", "f-ticks", lessons.En},
		{"past", "f-log", lessons.En},
		{"unavailable", "f-engine", lessons.En},
		{"differs", "f-notice", lessons.En},
		{"five nodes", "f-keys", lessons.En},
		{"five nodes", "f-keys", lessons.Zh},
		{"znodes", "f-keys", lessons.En},
		{"deadlock", "f-keys", lessons.En},
		{"znodes beside a real Redis", "f-keys", lessons.Zh},
		{"five nodes", "f-faults", lessons.En},
		{"five nodes", "f-actors", lessons.Zh},
		{"five nodes", "f-timeline", lessons.En},
		{"released", "f-story", lessons.Zh},
		{"broken and told", "f-lead", lessons.En},
		{"broken and told", "f-challenge", lessons.En},
		{"searching", "f-search", lessons.En},
		{"found", "f-search", lessons.En},
		{"found", "f-search", lessons.Zh},
		{"found", "f-timeline", lessons.En},
		{"found", "f-log", lessons.Zh},
		{"it holds", "f-search", lessons.Zh},
		{"not decided", "f-search", lessons.En},
		{"edited", "f-edits", lessons.En},
		{"edited", "f-diff", lessons.Zh},
		{"edited", "f-story", lessons.Zh},
		{"edited", "f-ticks", lessons.En},
		{"edited and stuck", "f-edits", lessons.Zh},
	} {
		name := strings.NewReplacer(" ", "-", "'", "").Replace(tt.scene) + "." + tt.fragment + "." + string(tt.lang)
		t.Run(name, func(t *testing.T) {
			var got string
			v := scene(t, tt.scene, tt.lang)
			for _, f := range fragments(&v, whole(&v)) {
				if f.ID == tt.fragment {
					got = betweenTags.ReplaceAllString(strings.TrimSpace(render(t, f.Component)), ">\n<") + "\n"
				}
			}
			golden(t, name+".html", got)
		})
	}
}

// golden compares a text with a file of testdata, or writes it there.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run go test ./web/ui -update and read what it writes", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs:\n%s", path, diff)
	}
}

// The home page's own parts, of a story that was played.
func TestGoldensOfTheHomePage(t *testing.T) {
	l := lesson()
	v := scene(t, "broken", lessons.En)
	g := &Gallery{Thumbnails: map[string]string{l.Name: Thumbnail(v.Lesson, v.Trace)}}
	for _, lang := range languages {
		html := render(t, path(lang, chapters(catalog(l))[2], g))
		golden(t, "home.path."+string(lang)+".html", betweenTags.ReplaceAllString(strings.TrimSpace(html), ">\n<")+"\n")
	}
}

// The first way has a station for each of its lessons that the catalog has, and what leads aside from it.
func TestGoldensOfTheHour(t *testing.T) {
	var all []*lessons.Lesson
	for _, name := range []string{"oversell", "lost-update", "fencing"} {
		l := *lesson()
		l.Name = name
		all = append(all, &l)
	}
	for _, lang := range languages {
		html := render(t, hour(lang, lessons.Ways[0].In(all), all))
		golden(t, "home.hour."+string(lang)+".html", betweenTags.ReplaceAllString(strings.TrimSpace(html), ">\n<")+"\n")
	}
}

// With many lessons each chapter has a heading, and the numbers go on from one to the next.
func TestThePathOfManyLessons(t *testing.T) {
	var all []*lessons.Lesson
	for _, chapter := range lessons.Chapters {
		for _, l := range catalog(lesson()) {
			many := *l
			many.Chapter = chapter
			all = append(all, &many)
		}
	}
	html := render(t, Home(lessons.En, all, nil, &Gallery{}, shell))
	if n := strings.Count(html, `class="fold chapter"`); n != len(lessons.Chapters) {
		t.Errorf("there are %d chapters of %d", n, len(lessons.Chapters))
	}
	if n := strings.Count(html, `class="lesson-card"`); n != len(all) {
		t.Errorf("there are %d cards for %d lessons", n, len(all))
	}
	if strings.Contains(html, `id="strip"`) || strings.Contains(html, "style=") {
		t.Error("there is a strip without frames, or a style attribute")
	}
}
