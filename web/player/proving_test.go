package player

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/quota"
	"lockstep/lessons"
	"lockstep/lessons/author"
)

// claiming is a lesson in which B gets in when the lease of A is over, in three moves, and its repair.
const claiming = `title: {en: "Too much work", zh: "活太多"}
summary: {en: "A lease of ten seconds.", zh: "租约十秒。"}
chapter: more
level: basic
actors:
  A: {program: 'if redis.call("SET", "lock", me, "NX", "PX", 10000) then enter("lock") work("12s") end'}
  B: {program: 'while not redis.call("SET", "lock", me, "NX", "PX", 10000) do sleep("4s") end enter("lock") work("6s")'}
invariants: [mutual-exclusion]
verdicts:
  - {breaks: mutual-exclusion, in: 3}
  - {holds: all, time: prompt}
story:
  - {run: A, expect: {reply: OK}}
challenge:
  say: {en: "Repair it.", zh: "修好它。"}
  goal: {repair: mutual-exclusion}
  hint: {en: "How long does it work?", zh: "它要干多久？"}
  edits:
    program:A: 'if redis.call("SET", "lock", me, "NX", "PX", 15000) then enter("lock") work("12s") end'
`

// newProvingClient is a session whose author can save.
func newProvingClient(t *testing.T) (*testClient, *memoryStore) {
	t.Helper()
	d, kept := newAuthorClient(t), &memoryStore{}
	d.session.Author = NewAuthor(author.Reader{}, kept)
	d.ok(`"op":"author"`)
	return d, kept
}

// claims sends the lesson with some of its text replaced, and returns the reply; nil: there is none yet.
func (d *testClient) claims(op Op, replaced ...string) *Reply {
	d.t.Helper()
	files, err := json.Marshal([]lessons.File{{Name: "lesson.yaml", Text: strings.NewReplacer(replaced...).Replace(claiming)}})
	if err != nil {
		d.t.Fatal(err)
	}
	d.id++
	return d.takeAll(d.session.Handle(d.t.Context(), fmt.Appendf(nil, `{"v":1,"id":%d,"op":%q,"folder":"01-typed","files":%s}`, d.id, op, files)))
}

// takeAll takes messages, and returns the last reply among them.
func (d *testClient) takeAll(all []Message) (reply *Reply) {
	for _, m := range all {
		d.take(m)
		if m.Reply != nil {
			reply = m.Reply
		}
	}
	return reply
}

// toEnd lets a proof go on to its end, and returns the reply that has waited for it.
func (d *testClient) toEnd() (reply *Reply) {
	d.t.Helper()
	for beats := 0; d.session.Hz() > 0; beats++ {
		if reply = d.takeAll(d.session.Advance(d.t.Context())); beats > 1000 {
			d.t.Fatal("it does not end")
		}
	}
	return reply
}

func (d *testClient) proofSays(want string) {
	d.t.Helper()
	if shown := d.html["f-proof"]; !strings.Contains(shown, want) {
		d.t.Errorf("the page says %s, and not %q", shown, want)
	}
}

func (d *testClient) notSaved(r *Reply, kept *memoryStore, want string) {
	d.t.Helper()
	if r == nil || r.OK || r.Err.Code != CodeNotSaved || !strings.Contains(r.Err.Msg, want) || kept.saved != nil {
		d.t.Fatalf("%+v, and %v was saved, want %q", r, kept.saved, want)
	}
}

// falseAt checks that nothing was saved because of a claim, and that it is among the problems.
func (d *testClient) falseAt(r *Reply, kept *memoryStore, at, want string, replaced ...string) {
	d.t.Helper()
	d.notSaved(r, kept, "Nothing was saved: 01-typed/"+at+" claims what a search finds to be false.")
	r = d.claims(OpAuthor, replaced...)
	if !slices.ContainsFunc(r.Problems, func(p Problem) bool {
		return strings.HasPrefix(at, p.File+":"+strconv.Itoa(p.Line)) && p.Severity == lessons.Error && strings.Contains(p.Text, want)
	}) {
		d.t.Errorf("%q is not among %+v", want, r.Problems)
	}
}

// What is proven is so of one text, as often as it comes back, and of no other.
func TestAnEditMakesATextUnproven(t *testing.T) {
	d, _ := newProvingClient(t)
	if shown := d.html["f-proof"]; !strings.Contains(shown, "hidden") {
		t.Errorf("of a lesson that claims nothing the page says %s", shown)
	}
	d.claims(OpAuthor)
	d.proofSays("Not proven yet: 2 verdicts, 1 repair.")
	if r := d.claims(OpProve); r != nil {
		t.Fatalf("%+v", r)
	}
	d.proofSays("Proving 1 of 3")
	if r := d.toEnd(); r == nil || !r.OK {
		t.Fatalf("%+v", r)
	}
	d.proofSays("Proven: 2 verdicts, 1 repair.")
	d.claims(OpAuthor, "15000", "16000")
	d.proofSays("Not proven yet: 2 verdicts, 1 repair.")
	d.claims(OpAuthor)
	d.proofSays("Proven: 2 verdicts, 1 repair.")
	d.claims(OpAuthor, "actors:", "axtors:")
	d.proofSays("hidden")
}

func TestATrueLessonIsSavedWhenItIsProven(t *testing.T) {
	d, kept := newProvingClient(t)
	if r := d.claims(OpSave); r != nil || kept.saved != nil {
		t.Fatalf("%+v before anything is proven, and %v was saved", r, kept.saved)
	}
	if r := d.toEnd(); r == nil || !r.OK || r.ID != d.id || r.Unproven != "" || len(kept.saved) != 1 {
		t.Fatalf("%+v, and %v was saved", r, kept.saved)
	}
	if r := d.claims(OpSave); r == nil || !r.OK {
		t.Errorf("what is proven is proven again: %+v", r)
	}
}

// Who types on meanwhile neither stops a proof nor changes what is saved by it.
func TestAProofOutlivesTyping(t *testing.T) {
	d, kept := newProvingClient(t)
	d.claims(OpSave)
	d.takeAll(d.session.Advance(t.Context()))
	if r := d.claims(OpAuthor, "in: 3", "in: 4"); r == nil || !r.OK {
		t.Fatalf("%+v", r)
	}
	if r := d.toEnd(); r == nil || !r.OK || len(kept.saved) != 1 || kept.saved[0].Text != claiming {
		t.Fatalf("%+v, and %v was saved", r, kept.saved)
	}
	d.proofSays("Not proven yet: 2 verdicts, 1 repair.") // of what was typed
}

func TestFalseVerdictsAreNotSaved(t *testing.T) {
	for _, c := range []struct{ was, is, at, want string }{
		{"in: 3", "in: 4", "lesson.yaml:10:5", "want: it breaks in 4\n  got:  it breaks in 3: mutual-exclusion"},
		{"{breaks: mutual-exclusion, in: 3}", "{holds: mutual-exclusion}", "lesson.yaml:10:5", "want: it holds\n  got:  it breaks in 3: mutual-exclusion"},
		{"{holds: all,", "{breaks: all, in: 3,", "lesson.yaml:11:5", "want: it breaks in 3\n  got:  it holds"},
		{"invariants: [mutual", `invariants: [{name: odd, lua: 'lock ~= "B" or nil < 1'}, mutual`, "lesson.yaml:11:5", "got:  it cannot be searched: "},
	} {
		d, kept := newProvingClient(t)
		d.claims(OpSave, c.was, c.is)
		d.falseAt(d.toEnd(), kept, c.at, c.want, c.was, c.is)
		d.proofSays("False: 1 verdict")
		d.falseAt(d.claims(OpSave, c.was, c.is), kept, c.at, c.want, c.was, c.is) // however often
	}
}

func TestRepairsThatDoNotRepairAreNotSaved(t *testing.T) {
	for _, c := range []struct{ was, is, at, want string }{
		{"15000", "11000", "lesson.yaml:18:3", "the lesson with the solution\n   18 |   edits:\n      |   ^\n  want: it holds\n  got:  it breaks in 3"},
		{`program:A: 'if`, `program:A: 'if nil and`, "lesson.yaml:18:3", "got:  nobody ever comes while another is inside"},
		{"goal: {repair: mutual-exclusion}", "goal: {repair: mutual-exclusion, time: prompt}", "lesson.yaml:16:3", "want: mutual-exclusion breaks\n  got:  it holds"},
	} {
		d, kept := newProvingClient(t)
		d.claims(OpSave, c.was, c.is)
		d.falseAt(d.toEnd(), kept, c.at, c.want, c.was, c.is)
		d.falseAt(d.claims(OpSave, c.was, c.is), kept, c.at, c.want, c.was, c.is)
		d.proofSays("False: 1 repair. Proven: 2 verdicts.")
	}
}

// A proof that waits for memory says so, and one that left its memory to others begins anew when it is asked for again.
func TestAProofSharesTheMemory(t *testing.T) {
	more := []string{"invariants:", `  C: {program: 'for i = 1, 4 do redis.call("INCR", "c") sleep("1s") end'}
  D: {program: 'for i = 1, 4 do redis.call("INCR", "d") sleep("1s") end'}
invariants:`}
	pool := quota.New(2*searchMemory, 0)
	others := pool.Share()
	d, _ := newProvingClient(t)
	d.session.memory = pool.Share()
	d.claims(OpAuthor, more...)
	others.Set(2*searchMemory, false)
	d.claims(OpProve, more...)
	d.takeAll(d.session.Advance(t.Context()))
	d.proofSays("Many visitors are searching.")
	others.Set(0, true)
	d.takeAll(d.session.Advance(t.Context()))
	d.session.room.slices = fairSlices
	d.toEnd()
	d.proofSays("Not proven yet: 1 verdict, 1 repair.")
	others.Set(0, false)
	d.claims(OpProve, more...)
	d.toEnd()
	d.proofSays("Proven: 2 verdicts, 1 repair.")
}

// Whoever stops a proof, or goes elsewhere, has saved nothing, and is asked before an unproven text is saved.
func TestAProofIsStopped(t *testing.T) {
	for _, act := range []string{`"op":"pause"`, `"op":"load","lesson":"typed"`} {
		d, kept := newProvingClient(t)
		d.claims(OpSave)
		d.takeAll(d.session.Advance(t.Context()))
		d.id++
		var answers []*Reply
		for _, m := range d.session.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"id":%d,%s}`, d.id, act)) {
			if d.take(m); m.Reply != nil {
				answers = append(answers, m.Reply)
			}
		}
		if d.session.Hz() > 0 || len(answers) != 2 || !answers[1].OK {
			t.Fatalf("%s: it goes on, or the answers are %+v", act, answers)
		}
		d.notSaved(answers[0], kept, "Nothing was saved: not all is proven that the lesson claims. Press Save again to save it unproven.")
		if r := d.claims(OpSave, "15000", "16000"); r != nil {
			t.Errorf("another text is not proven: %+v", r)
		}
	}
}

func TestAnUnprovenTextIsSavedWhenItIsToldAgain(t *testing.T) {
	d, kept := newProvingClient(t)
	d.claims(OpSave)
	d.takeAll(d.session.Advance(t.Context()))
	d.ok(`"op":"pause"`)
	if r := d.claims(OpSave); r == nil || !r.OK || r.Unproven != "Saved, but not all is proven that the lesson claims." || len(kept.saved) != 1 {
		t.Fatalf("%+v, and %v was saved", r, kept.saved)
	}
	d.claims(OpProve) // goes on where it was stopped
	d.proofSays("Proving 2 of 3")
	d.toEnd()
	d.claims(OpAuthor)
	d.proofSays("Proven: 2 verdicts, 1 repair.")
}

// A search that reaches its bound proves nothing, and is not begun again.
func TestAVerdictBeyondTheBoundIsUnproven(t *testing.T) {
	d, kept := newProvingClient(t)
	const pings = `A: {program: 'for i = 1, 40 do redis.call("PING") end'}`
	large := []string{
		claiming[strings.Index(claiming, "  A: "):strings.Index(claiming, "invariants:")],
		"  " + pings + "\n  B" + pings[1:] + "\n  C" + pings[1:] + "\n",
		"  - {breaks: mutual-exclusion, in: 3}\n", "", ", time: prompt", "", "reply: OK", `reply: PONG`,
		claiming[strings.Index(claiming, "challenge:"):], "",
	}
	d.claims(OpSave, large...)
	d.notSaved(d.toEnd(), kept, "lesson claims. Press Save again")
	r := d.claims(OpAuthor, large...)
	if p := r.Problems[len(r.Problems)-1]; p.Severity != lessons.Warning || !strings.Contains(p.Text, "there are more states than it may look at") {
		t.Errorf("%+v", r.Problems)
	}
	d.proofSays("Not proven yet: 1 verdict.")
	if r := d.claims(OpSave, large...); r == nil || !r.OK || r.Unproven != "Saved, but not all is proven that the lesson claims." {
		t.Errorf("%+v", r)
	}
}

// An author searches one rule, sees what was found beside it, and walks through the schedule.
func TestARuleIsSearchedBesideTheText(t *testing.T) {
	d, _ := newProvingClient(t)
	if reply := d.claims(OpAuthor, "  - {holds: all, time: prompt}\n", ""); !reply.OK {
		t.Fatal(reply.Err)
	}
	d.ok(`"op":"search","text":"rule:mutual-exclusion"`)
	d.toEnd()
	var html strings.Builder
	if err := d.session.View().Author.Proof.Render(t.Context(), &html); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"breaks in 3 moves, and in no fewer", "Enough to break it: ", `{&#34;pos&#34;:3}`} {
		if !strings.Contains(html.String(), want) {
			t.Errorf("no %q in %s", want, html.String())
		}
	}
	d.ok(`"op":"seek","pos":1`)
	if got := d.session.View(); got.Pos != 1 || len(got.Trace.Steps) != 3 {
		t.Errorf("at %d of %d", got.Pos, len(got.Trace.Steps))
	}
}

// What searches find and what the story does is written into the text, each whatever is wrong with the other.
func TestATextIsFilledIn(t *testing.T) {
	for _, c := range []struct {
		name            string
		replaced, wants []string
	}{
		{"a verdict that is false", []string{"in: 3", "in: 7"}, []string{"{breaks: mutual-exclusion, in: 3}", "expect: {reply: OK}"}},
		{"a wrong expectation", []string{"reply: OK", "reply: nil"}, []string{"{breaks: mutual-exclusion, in: 3}", "reply: OK"}},
		{"both, and a repair that does not repair", []string{"in: 3", "in: 7", "reply: OK", "reply: nil", "15000", "9000"}, []string{"{breaks: mutual-exclusion, in: 3}", "reply: OK"}},
		{"no verdicts", []string{"verdicts:\n  - {breaks: mutual-exclusion, in: 3}\n  - {holds: all, time: prompt}\n", ""}, []string{"verdicts:\n  - {breaks: mutual-exclusion, in: 3}\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := newProvingClient(t)
			d.claims(OpAuthor, c.replaced...)
			r := d.claims(OpFill, c.replaced...)
			if r == nil {
				r = d.toEnd()
			}
			if r == nil || !r.OK || len(r.Files) != 1 {
				t.Fatalf("%+v", r)
			}
			for _, want := range c.wants {
				if !strings.Contains(r.Files[0].Text, want) {
					t.Errorf("no %q in\n%s", want, r.Files[0].Text)
				}
			}
		})
	}
	d, _ := newProvingClient(t)
	d.claims(OpAuthor)
	d.claims(OpFill)
	if r := d.toEnd(); r == nil || !r.OK || len(r.Files) != 0 {
		t.Errorf("of a text that is right it writes %+v", r)
	}
}
