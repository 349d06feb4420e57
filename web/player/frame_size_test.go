package player

import (
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"slices"
	"testing"

	"lockstep/engine"
)

// long is a session after so many steps of Redisson's lock: A holds it, and B asks again and again.
func long(t testing.TB, steps int) *Session {
	t.Helper()
	catalog := builtIn(t)
	p := &Playground{Catalog: NewCatalog(catalog), Engines: []Engine{Embedded{}}}
	s := p.NewSession("long")
	if err := s.Load(t.Context(), Place{Lesson: "redisson-lock"}); err != nil {
		t.Fatal(err)
	}
	for range steps {
		longer(t, s)
	}
	return s
}

// longer makes one step more, and returns its frame.
func longer(t testing.TB, s *Session) *Frame {
	t.Helper()
	c := engine.Choice{Kind: engine.Tick}
	for _, o := range s.View().Snapshot().Options {
		if o.Enabled() && o.Choice.Kind == engine.Run && (s.now.len() == 0 || o.Choice.Target != "A") {
			c = o.Choice
			break
		}
	}
	for _, m := range s.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"op":"choose","choice":%q}`, c)) {
		if m.Frame != nil {
			s.screen.acked = s.screen.rev
			return m.Frame
		}
	}
	t.Fatal("there is no frame")
	return nil
}

// wire is a frame's size as it travels.
func wire(t testing.TB, f *Frame) (plain, deflated int) {
	t.Helper()
	data := Message{Op: "frame", Frame: f}.Encode()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression) // as the server does
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(data)
	_ = w.Close()
	return len(data), b.Len()
}

// BenchmarkFrame is a step and its frame, early in a run and late.
func BenchmarkFrame(b *testing.B) {
	for _, at := range []int{20, 300} {
		b.Run(fmt.Sprintf("step %d", at), func(b *testing.B) {
			s := long(b, at-10)
			var plain, deflated []int
			parts := map[string]int{}
			for range 20 {
				f := longer(b, s)
				p, d := wire(b, f)
				plain, deflated = append(plain, p), append(deflated, d)
				for _, frag := range append(f.Frags, f.Rows...) {
					if frag.ID[:2] != "f-" {
						frag.ID = "rows"
					}
					parts[frag.ID] += len(frag.HTML)
				}
			}
			slices.Sort(plain)
			slices.Sort(deflated)
			ids := []string{}
			for id := range parts {
				ids = append(ids, id)
			}
			slices.SortFunc(ids, func(a, c string) int { return cmp.Compare(parts[c], parts[a]) })
			for _, id := range ids {
				b.Logf("%s %d", id, parts[id]/20)
			}
			step := []byte(`{"v":1,"op":"step","n":-1}`)
			for i := 0; b.Loop(); i++ {
				step = step[:0]
				n := at - i%2
				step = fmt.Appendf(step, `{"v":1,"op":"seek","pos":%d}`, n)
				s.Handle(b.Context(), step)
				s.screen.acked = s.screen.rev
			}
			b.ReportMetric(float64(plain[len(plain)/2]), "B-p50")
			b.ReportMetric(float64(deflated[len(deflated)/2]), "B-deflated-p50")
			b.ReportMetric(float64(deflated[len(deflated)-1]), "B-deflated-max")
		})
	}
}

// A step takes no more of the network late in a run than early.
func TestAFrameIsAsSmallAfterManySteps(t *testing.T) {
	median := func(at int) int {
		s := long(t, at)
		var sizes []int
		for range 9 {
			_, deflated := wire(t, longer(t, s))
			sizes = append(sizes, deflated)
		}
		slices.Sort(sizes)
		return sizes[len(sizes)/2]
	}
	early, late := median(20), median(300)
	if late > early*5/4 || late > 4608 {
		t.Errorf("a frame has %d bytes after 20 steps, and %d after 300", early, late)
	}
}

// Frames of stories are small on the wire, with the lab open: half of them have little more than 4 KB. The diagram is drawn
// on below the present.
func TestFramesOfStoriesAreSmall(t *testing.T) {
	s := long(t, 0)
	var sizes []int
	for _, name := range []string{"set-nx", "redisson-lock", "fair-lock", "redlock"} {
		if err := s.Load(t.Context(), Place{Lesson: name}); err != nil {
			t.Fatal(err)
		}
		s.flush(t.Context())
		for s.View().Story.Next != nil {
			for _, m := range s.Handle(t.Context(), []byte(`{"v":1,"op":"step","n":1}`)) {
				if m.Frame != nil {
					s.screen.acked = s.screen.rev
					_, deflated := wire(t, m.Frame)
					sizes = append(sizes, deflated)
				}
			}
		}
	}
	slices.Sort(sizes)
	t.Logf("%d frames, half of them up to %d bytes, all up to %d", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
	if median := sizes[len(sizes)/2]; len(sizes) < 40 || median > 4240 {
		t.Errorf("half of %d frames have more than %d bytes", len(sizes), median)
	}
}
