package player

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/node/sample"
)

// Who shares a story with others, who go through it meanwhile, is told and shown, byte for byte, what somebody alone is.
func TestWhoeverSharesAStoryIsShownWhatOneAloneIs(t *testing.T) {
	for _, l := range sample.Sample(t, builtIn(t), sample.LessonsTold) {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			together := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}, Author: NewAuthor(author.Reader{}, nil)}
			var walks sync.WaitGroup
			for seed := range uint64(6) {
				walks.Go(func() {
					alone := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}, Author: NewAuthor(author.Reader{}, nil)}
					walkBoth(t, rand.New(rand.NewPCG(seed, 0)), l, together.NewSession("walk"), alone.NewSession("walk"))
				})
			}
			walks.Wait()
			shares(t, together.Catalog.Now().tellings.find(l))
		})
	}
}

// walkBoth does what a learner may do with both sessions, mostly what the story offers.
func walkBoth(t *testing.T, r *rand.Rand, l *lessons.Lesson, together, alone *Session) {
	load := func() string {
		return fmt.Sprintf(`"op":"load","lesson":%q,"lang":%q,"told":true`, l.Name, []string{"en", "zh"}[r.IntN(2)])
	}
	command := load()
	for n := range 60 {
		data := fmt.Appendf(nil, `{"v":1,"id":%d,%s}`, n+1, command)
		got, want := together.Handle(t.Context(), data), alone.Handle(t.Context(), data)
		for range r.IntN(3) {
			got, want = append(got, together.Advance(t.Context())...), append(want, alone.Advance(t.Context())...)
		}
		if a, b := encoded(got), encoded(want); a != b {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			t.Errorf("after %d commands, %s: …%.300s\nalone: …%.300s", n, command, a[max(0, at-100):], b[max(0, at-100):])
			return
		}
		for _, s := range []*Session{together, alone} {
			s.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"op":"ack","rev":%d}`, s.screen.rev))
		}
		command = nextCommand(r, alone, load)
	}
}

func nextCommand(r *rand.Rand, s *Session, load func() string) string {
	v := s.View()
	switch n := r.IntN(40); {
	case v.Prediction != nil && !v.Prediction.Graded && n < 30:
		return fmt.Sprintf(`"op":"answer","beat":%d,"text":%q`, v.Prediction.Beat, []string{"", "1", "OK", "yes", "A"}[r.IntN(5)])
	case n < 20:
		return fmt.Sprintf(`"op":"play","pos":%d,"hz":%d`, v.Story.To, r.IntN(2)*5)
	case n < 25:
		return fmt.Sprintf(`"op":"step","n":%d`, r.IntN(4)-1)
	case n < 28:
		return fmt.Sprintf(`"op":"seek","pos":%d`, r.IntN(v.Story.Total+1))
	case n < 31:
		return fmt.Sprintf(`"op":"look","told":%t`, n > 28)
	case n < 33:
		return []string{`"op":"line","n":1`, `"op":"reset"`, `"op":"drop"`, `"op":"try"`, `"op":"hint"`, `"op":"solve"`}[r.IntN(6)]
	case n < 35:
		return load()
	case n < 37:
		return `"op":"story"`
	}
	options := v.Trace.At(v.Pos).Options
	return fmt.Sprintf(`"op":"choose","choice":%q`, options[r.IntN(len(options))].Choice.String())
}

func encoded(messages []Message) string {
	text := ""
	for _, m := range messages {
		text += string(m.Encode()) + "\n"
	}
	return text
}

// shares fails where nothing was shared, so that nothing was compared.
func shares(t *testing.T, told *telling) {
	drawings := 0
	for _, d := range told.drawings {
		drawings += len(d)
	}
	if len(told.trace.Steps) != len(told.choices) || len(told.drawings) < 2 {
		t.Errorf("%d of %d steps are shared, and %d drawings", len(told.trace.Steps), len(told.choices), drawings)
	}
}

// Where tellings take too much, they begin anew, and whoever is in the middle of one goes on.
func TestTellingsThatTakeTooMuchBeginAnew(t *testing.T) {
	l := fixture()
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{l}), Engines: []Engine{Embedded{}}}
	all := &p.Catalog.Now().tellings
	d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
	d.ok(`"op":"load","lesson":"two-clients","told":true`)
	d.ok(`"op":"step","n":2`)
	old := all.find(l)
	all.bytes = maxTellings + 1
	d.ok(`"op":"step","n":1`)
	if d.last.Pos != 3 {
		t.Fatalf("it stands at step %d", d.last.Pos)
	}
	if all.find(l) == old || all.bytes > maxTellings/2 {
		t.Errorf("%d bytes are held", all.bytes)
	}
	if _, told := all.find(l).next(l.Choices()[:2], l.Choices()[2]); !told {
		t.Error("the new telling has nothing of what was played")
	}
}
