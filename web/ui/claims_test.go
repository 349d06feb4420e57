package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
	"lockstep/node/sample"
	"lockstep/web/ui"
)

// What the page says of who holds, who waits and what protects whom is held to the world, after each step of
// random schedules of lessons. The page is read as a learner reads it, as HTML: the first three in both languages, all else
// in English; a sentence that no row of these grammars knows fails. What is true is found here, in steps and snapshots of
// the engine alone.
//
//	standing     How things stand (f-story): inside and with which lease, crashed, paused, wants and does next
//	why          Why? (f-why): what is said of each step is so (claims_said_test.go), each had its part in the breach
//	             (claims_led_test.go), and who is inside is told how they got in
//	differences  What is different (f-beside): all that is listed, and nothing else
//	panels       Inside critical sections (f-inside): who, and "at the same time!"
//	             Lanes' heads (f-actors): what each client is inside of, wants and does
//	             Keys (f-keys): who has or awaits which lock of a row, who waits at a server and because of whom,
//	             deadlocks and victims, what is uncommitted, owners and watchers of znodes, sessions
//	             Channels and mail (f-channels): who listens, whom a message waits for
//	             The clock (f-clock): when something is due next
//	unleased     The diagram: a dashed lane, whose client has lost its lease
//
// Elsewhere: sentences of a single step (Sentence) in sentence_test.go, the comparison of locks in compared_test.go,
// "Differs from step" of edits in web/player, the strip of the home page in its goldens, and the page of real clients,
// which has no world to be held to, in web/browsertest.

var claimedSchedules = sample.Generated{All: 200, Sample: 3} // of each lesson

// lessonsClaimed is how many lessons each change holds to the world.
const lessonsClaimed = 12

var builtIn = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

// shown is the page after a step of a run.
type shown struct {
	t      *testing.T
	lesson *lessons.Lesson
	trace  *engine.Trace
	pos    int
	lang   lessons.Lang
	html   map[string]string // of fragments, by their ids
	counts counts
}

// counts are the claims that were checked, by what they say.
type counts map[string]int

func (p *shown) now() *engine.Snapshot { return p.trace.At(p.pos) }

// wrong tells of a claim that does not hold.
func (p *shown) wrong(format string, args ...any) {
	p.t.Helper()
	p.counts["WRONG "+p.lesson.Name]++
	p.t.Errorf("%s in %s after step %d of %s: %s", p.lesson.Name, p.lang, p.pos, choicesOf(p.trace), fmt.Sprintf(format, args...))
}

func choicesOf(t *engine.Trace) string {
	var all []string
	for _, c := range sample.Choices(t) {
		all = append(all, c.String())
	}
	return strings.Join(all, ", ")
}

func TestThePageTellsTheTruth(t *testing.T) {
	all, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	total := counts{}
	for _, l := range sample.Lessons(t, all, lessonsClaimed, func(l *lessons.Lesson) string { return l.Name }) {
		t.Run(l.Name, func(t *testing.T) {
			for _, seed := range claimedSchedules.Seeds(t) {
				holdToTheWorld(t, l, seed, total)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%6d %s", total[name], name)
	}
}

func holdToTheWorld(t *testing.T, l *lessons.Lesson, seed uint64, total counts) {
	trace := randomRun(t, l, seed)
	beside, same := branchOf(t, l, trace, seed)
	caches := map[lessons.Lang]*ui.RenderCache{lessons.En: {}, lessons.Zh: {}}
	for pos := range len(trace.Steps) + 1 {
		page := func(lang lessons.Lang) (*shown, ui.View) {
			v := ui.View{Lang: lang, Lesson: l, Engine: ui.Embedded, Trace: trace, Pos: pos, Cache: caches[lang], Story: ui.Story{Left: 1}}
			p := &shown{t, l, trace, pos, lang, drawn(t, compared(v, beside, same)), total}
			p.standing()
			p.why()
			p.differences(beside)
			return p, v
		}
		page(lessons.Zh)
		p, v := page(lessons.En)
		p.panels()
		if pos == len(trace.Steps) {
			for _, a := range l.Actors {
				p.unleased(ui.UnleasedSteps(v, a.Name), a.Name)
			}
		}
	}
}

func randomRun(t *testing.T, l *lessons.Lesson, seed uint64) *engine.Trace {
	t.Helper()
	scenario, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(t.Context(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.RandomRun(t.Context(), w, seed, sample.LessonScheduleLength); err != nil {
		t.Fatal(err)
	}
	return w.Trace()
}

// drawn is the HTML of the fragments that say something of who holds and who waits.
func drawn(t *testing.T, v ui.View) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, f := range ui.Fragments(v) {
		if !slices.Contains([]string{"f-story", "f-why", "f-beside", "f-inside", "f-actors", "f-keys", "f-channels", "f-clock"}, f.ID) {
			continue
		}
		var b bytes.Buffer
		if err := f.Component.Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		for _, row := range f.Rows {
			b.WriteString(row.HTML)
		}
		texts[f.ID] = b.String()
	}
	return texts
}

var tags = regexp.MustCompile(`<[^>]*>`)

// words is the text of a piece of HTML.
func words(piece string) string {
	return inOneLine(html.UnescapeString(tags.ReplaceAllString(piece, " ")))
}

// inOneLine is a text as a browser shows it. Its angle brackets are its own: a value may be a page.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// pieces are what stands between two tags, each time.
func pieces(text, open, end string) []string {
	var all []string
	for {
		_, rest, found := strings.Cut(text, open)
		if !found {
			return all
		}
		piece, rest, _ := strings.Cut(rest, end)
		all, text = append(all, piece), rest
	}
}

// sentence is a form of sentence, and what is wrong with one; empty: it is true.
type sentence struct {
	name  string
	form  forms
	wrong func(p *shown, m []string) string
}

// hold checks a text by the first form that it has.
func (p *shown) hold(grammar []sentence, text string) {
	p.t.Helper()
	for _, s := range grammar {
		if m := s.form[p.lang].FindStringSubmatch(text); m != nil {
			p.counts[s.name]++
			if wrong := s.wrong(p, m); wrong != "" {
				p.counts["wrong: "+s.name]++
				p.wrong("%q: %s", text, wrong)
			}
			return
		}
	}
	p.wrong("no form is known of %q", text)
}

// spanOf reads a span as the page writes it, "1 min 2.5 s", or as its axis does, "1:02:03.5"; rounded tells that it stands for about as much.
func spanOf(text string) (d time.Duration, rounded, ok bool) {
	text, negative := strings.CutPrefix(text, "−")
	text, rounded = strings.CutPrefix(text, "≈ ")
	units := map[string]time.Duration{
		"ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "days": 24 * time.Hour, "years": 365 * 24 * time.Hour,
		"毫秒": time.Millisecond, "秒": time.Second, "分钟": time.Minute, "小时": time.Hour, "天": 24 * time.Hour, "年": 365 * 24 * time.Hour,
	}
	if strings.Contains(text, ":") {
		for part := range strings.SplitSeq(text, ":") {
			n, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return 0, false, false
			}
			d = 60*d + time.Duration(n*float64(time.Second)+0.5)
		}
		return d, false, true
	}
	fields := strings.Fields(text)
	for i := 0; i+1 < len(fields); i += 2 {
		n, err := strconv.ParseFloat(fields[i], 64)
		unit, known := units[fields[i+1]]
		if err != nil || !known {
			return 0, false, false
		}
		d += time.Duration(n*float64(unit) + 0.5)
	}
	if negative {
		d = -d
	}
	return d, rounded, len(fields) > 0 && len(fields)%2 == 0
}

// says tells whether a text says how long something takes.
func says(text string, d time.Duration) bool {
	got, rounded, ok := spanOf(text)
	if rounded {
		return ok && (got-d).Abs() <= max(d.Abs()/2, 24*time.Hour)
	}
	return ok && got.Milliseconds() == d.Milliseconds()
}
