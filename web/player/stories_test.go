package player

import (
	"fmt"
	"slices"
	"testing"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// clicksEach is how many clicks on Continue, and answers, a story takes on average.
const clicksEach = 9

// Each click on Continue brings something new: words of the story, what a rule that breaks says, a question,
// or the end.
func TestContinueBringsSomethingNew(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	p := &Playground{Catalog: NewCatalog(all), Engines: []Engine{Embedded{}}}
	clicks := 0
	for _, l := range all {
		d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
		d.ok(fmt.Sprintf(`"op":"load","lesson":%q`, l.Name))
		for v := d.session.View(); v.Story.Next != nil; clicks++ {
			if open := v.Prediction; open != nil && !open.Graded {
				d.ok(fmt.Sprintf(`"op":"answer","beat":%d`, open.Beat))
			} else {
				d.ok(fmt.Sprintf(`"op":"play","pos":%d`, v.Story.To))
			}
			v = d.session.View()
			asks := v.Prediction != nil
			if step := v.Trace.Steps[v.Pos-1]; v.Story.Earlier && len(step.Broken) == 0 && !asks && !v.Story.Done {
				t.Errorf("%s: at step %d there is nothing new to read", l.Name, v.Pos)
			}
		}
	}
	t.Logf("%d clicks", clicks)
	if clicks > clicksEach*len(all) {
		t.Errorf("the stories take %d clicks, at most %d for each is asked for", clicks, clicksEach)
	}
}

// While a story is told, Back leads where Continue and the answers came from, and in the lab through the moves.
func TestBackLeadsWhereContinueCameFrom(t *testing.T) {
	all, err := decode.All(lessons.FS)
	if err != nil {
		t.Fatal(err)
	}
	p := &Playground{Catalog: NewCatalog(all), Engines: []Engine{Embedded{}}}
	for _, l := range all {
		d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
		d.ok(fmt.Sprintf(`"op":"load","lesson":%q,"told":true`, l.Name))
		var stood []int
		for v := d.session.View(); v.Story.Next != nil; v = d.session.View() {
			stood = append(stood, v.Pos)
			if open := v.Prediction; open != nil && !open.Graded {
				d.ok(fmt.Sprintf(`"op":"answer","beat":%d`, open.Beat))
				continue
			}
			d.ok(fmt.Sprintf(`"op":"play","pos":%d,"hz":1.5`, v.Story.To))
			for d.last.Playing {
				for _, m := range d.session.Advance(t.Context()) {
					d.take(m)
				}
			}
		}
		end := d.last.Pos
		for _, want := range slices.Backward(stood) {
			if d.ok(`"op":"step","n":-1`); d.last.Pos != want {
				t.Errorf("%s: Back leads to step %d, Continue came from %d", l.Name, d.last.Pos, want)
				break
			}
		}
		d.ok(`"op":"look","told":false`)
		d.ok(fmt.Sprintf(`"op":"seek","pos":%d`, end))
		if d.ok(`"op":"step","n":-1`); d.last.Pos != end-1 {
			t.Errorf("%s: in the lab Back leads from step %d to %d", l.Name, end, d.last.Pos)
		}
	}
}

// On the way to new words the steps play by themselves; a second click goes there at once.
func TestContinuePlaysTheStepsBetween(t *testing.T) {
	d := open(t)
	d.ok(`"op":"play","pos":1,"hz":1.5`)
	if d.last.Pos != 1 || d.last.Playing || d.session.Hz() != 0 {
		t.Fatalf("one step leads to step %d, and goes on: %t", d.last.Pos, d.last.Playing)
	}
	d.ok(`"op":"answer","beat":2`)
	d.ok(`"op":"play","pos":4,"hz":1.5`)
	if d.last.Pos != 3 || !d.last.Playing || d.session.Hz() != 1.5 {
		t.Fatalf("the first of two steps leads to step %d, and goes on: %t", d.last.Pos, d.last.Playing)
	}
	for _, m := range d.session.Advance(t.Context()) {
		d.take(m)
	}
	if d.last.Pos != 4 || d.last.Playing {
		t.Fatalf("then it stands at step %d, and goes on: %t", d.last.Pos, d.last.Playing)
	}
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"play","pos":4,"hz":1.5`)
	d.ok(`"op":"play","pos":4,"hz":1.5`)
	if d.last.Pos != 4 || d.last.Playing {
		t.Errorf("a second click leads to step %d, and goes on: %t", d.last.Pos, d.last.Playing)
	}
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"play","pos":4,"hz":1.5`)
	d.ok(`"op":"seek","pos":2`)
	d.ok(`"op":"play","pos":4,"hz":1.5`)
	if d.last.Pos != 3 {
		t.Errorf("after another command the first click is forgotten: it stands at step %d", d.last.Pos)
	}
}
