package player

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

func (d *testClient) challenge(want *ui.Challenge) {
	d.t.Helper()
	got := d.session.View().Challenge
	if (got == nil) != (want == nil) || got != nil && !reflect.DeepEqual(got, want) {
		d.t.Errorf("the challenge is %+v, want %+v", got, want)
	}
}

func TestChallengeComesAfterTheStory(t *testing.T) {
	d := open(t)
	d.challenge(nil)
	d.ok(`"op":"seek","pos":4`)
	d.challenge(nil)
	d.ok(`"op":"step","n":1`)
	d.challenge(&ui.Challenge{})
	d.ok(`"op":"hint"`)
	d.challenge(&ui.Challenge{Hint: true})
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.B.@2s.A.B"`)
	d.challenge(&ui.Challenge{}) // another visit
}

// A link leads back to the challenge that is being tried, and a bad one to none.
func TestAChallengeThatIsTriedIsInTheAddress(t *testing.T) {
	d := open(t)
	if n := d.last.Challenge; n != 0 {
		t.Errorf("challenge %d is being tried before it was chosen", n)
	}
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"try"`)
	d.ok(`"op":"choose","choice":"run A"`)
	f := d.last
	if f.Challenge != 1 {
		t.Errorf("the frame names challenge %d", f.Challenge)
	}
	again := open(t)
	again.ok(fmt.Sprintf(`"op":"load","lesson":"two-clients","schedule":%q,"challenge":%d`, f.Schedule, f.Challenge))
	again.at(1, "A")
	again.challenge(&ui.Challenge{Trying: true})
	again.ok(`"op":"load","lesson":"two-clients","challenge":9`)
	again.challenge(nil)
}

// Who tries it from the start keeps the task and its hint, and the story leads no longer.
func TestAChallengeStaysWhileItIsTried(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"hint"`)
	d.ok(`"op":"try"`)
	d.at(0, "")
	tried := func() {
		t.Helper()
		d.challenge(&ui.Challenge{Trying: true, Hint: true})
		v := d.session.View()
		if v.Story.OnStory || v.Story.Next != nil || v.Prediction != nil {
			t.Errorf("the story leads on: %+v %+v", v.Story, v.Prediction)
		}
		d.refused(`"op":"step","n":1`, CodeNoNext)
		d.refused(`"op":"play"`, CodeNoNext)
	}
	tried()
	d.ok(`"op":"choose","choice":"run A"`) // as the story begins
	tried()
	d.ok(`"op":"story"`)
	if v := d.session.View(); !v.Story.Done || v.Pos != 5 {
		t.Errorf("it does not go back to the end of the story: %+v", v.Story)
	}
}

func TestChallengeIsWonByAnyWay(t *testing.T) {
	d := open(t)
	d.ok(`"op":"choose","choice":"run B"`) // off the story
	d.challenge(&ui.Challenge{})
	d.ok(`"op":"reset"`)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"choose","choice":"tick 10s"`)
	d.challenge(&ui.Challenge{})
	d.ok(`"op":"choose","choice":"tick 15s"`)
	d.challenge(&ui.Challenge{Won: 3})
	d.ok(`"op":"choose","choice":"run B"`)
	d.ok(`"op":"step","n":-2`)
	d.challenge(&ui.Challenge{Won: 3}) // on the whole timeline
	d.ok(`"op":"fork"`)
	d.challenge(&ui.Challenge{})
	d.ok(`"op":"ghost"`)
	d.challenge(&ui.Challenge{Won: 3})
}

// A break off the story that is not the goal is told as such.
func TestABreakThatIsNotTheGoal(t *testing.T) {
	stays := fixture()
	for i := range stays.Actors {
		stays.Actors[i].Program = `trylock("lock") work("60s")`
	}
	p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{stays}), Engines: []Engine{Embedded{}}}
	d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
	d.ok(`"op":"load","lesson":"two-clients","schedule":"v1.f1c5e000.A.@30s","challenge":1`)
	const told = "the goal of the challenge is not reached"
	if strings.Contains(d.html["f-challenge"], told) {
		t.Error("a break is told before there is one")
	}
	d.ok(`"op":"choose","choice":"run B"`)
	if said := d.html["f-challenge"]; !strings.Contains(said, told) {
		t.Errorf("the challenge says %s", said)
	}
}

// Who opens the link of a challenge that is won has not won it, but may.
func TestALinkWinsNoChallenge(t *testing.T) {
	d := open(t)
	const win = `"op":"load","lesson":"two-clients","challenge":1,"schedule":"v1.f1c5e000.`
	d.ok(win + `A.@10s.@15s"`)
	d.challenge(&ui.Challenge{Trying: true, Shown: true, Won: 3})
	d.ok(`"op":"choose","choice":"run B"`)
	d.challenge(&ui.Challenge{Trying: true, Shown: true, Won: 3})
	d.ok(`"op":"try"`)
	for _, choice := range []string{"run A", "tick 10s", "tick 15s"} {
		d.ok(`"op":"choose","choice":"` + choice + `"`)
	}
	d.challenge(&ui.Challenge{Trying: true, Won: 3})

	d.ok(win + `A.@10s"`)
	d.ok(`"op":"choose","choice":"tick 15s"`)
	d.challenge(&ui.Challenge{Trying: true, Won: 3})
}

func TestSolutionIsPlayed(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"solve"`)
	d.at(2, "A.@20s")
	d.challenge(&ui.Challenge{Hint: true, Shown: true, Won: 2})
	d.ok(`"op":"ghost"`) // what was there is kept
	d.at(0, "A.B.@2s.A.B")
	d.ok(`"op":"load","lesson":"two-clients"`)
	d.ok(`"op":"solve"`)
	if leftLast(d) != nil {
		t.Error("nothing was played, and a ghost was made of it")
	}
}

// With a speed it goes by as a story does, from its start to where it is won, and is told to be shown.
func TestASolutionCanBeWatched(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"solve","hz":2`)
	d.at(0, "A.@20s")
	for n := 0; d.session.Hz() > 0; n++ {
		if n > 5 {
			t.Fatal("it plays on and on")
		}
		for _, m := range d.session.Advance(t.Context()) {
			d.take(m)
		}
	}
	d.at(2, "A.@20s")
	d.challenge(&ui.Challenge{Hint: true, Shown: true, Won: 2})
}

// Who has come to a later challenge comes back to it, whether they have begun with it or not.
func TestALaterChallengeIsInTheAddress(t *testing.T) {
	two := fixture()
	two.Challenges = append(two.Challenges, two.Challenges[0], two.Challenges[0])
	two.Challenges[2].Goal = lessons.Goal{Repair: &lessons.Question{}}
	visit := func(place string) *testClient {
		p := &Playground{Catalog: NewCatalog([]*lessons.Lesson{two}), Engines: []Engine{Embedded{}}}
		d := &testClient{t: t, session: p.NewSession("test"), html: map[string]string{}}
		d.ok(`"op":"load","lesson":"two-clients"` + place)
		return d
	}
	d := visit("")
	d.ok(`"op":"seek","pos":5`)
	d.ok(`"op":"next-challenge"`)
	for at := 1; at <= 2; at++ {
		f := d.last
		again := visit(fmt.Sprintf(`,"schedule":%q,"challenge":%d`, f.Schedule, f.Challenge))
		if c := again.session.View().Challenge; c == nil || c.At != at || c.Trying || !again.session.View().Story.OnStory {
			t.Errorf("at challenge %d, the address leads to %+v", at+1, c)
		}
		if at == 1 {
			d.ok(`"op":"next-challenge"`)
		}
	}
}

func TestAChallengeCountsWithTheLessonsOwnCodeOnly(t *testing.T) {
	d := open(t)
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"choose","choice":"tick 25s"`)
	d.challenge(&ui.Challenge{Won: 2})
	d.ok(editing("program:B", `redis.call("PING")`))
	d.challenge(&ui.Challenge{Edited: true})
	d.ok(editing("program:B", d.session.original.Actors[1].Program))
	d.challenge(&ui.Challenge{Won: 2})
}

func TestChallengesComeOneAfterTheOther(t *testing.T) {
	d := open(t)
	first := d.session.lesson.Challenges[0]
	second := first
	second.Goal = lessons.Goal{Break: "mutual-exclusion", Without: []string{"crash"}}
	second.Solution = []engine.Choice{{Kind: engine.Run, Target: "A"}, {Kind: engine.Run, Target: "B"}}
	d.session.lesson.Challenges = []lessons.Challenge{first, second}
	d.ok(`"op":"choose","choice":"run A"`)
	d.ok(`"op":"hint"`)
	d.ok(`"op":"choose","choice":"tick 25s"`)
	d.challenge(&ui.Challenge{Hint: true, Won: 2})
	d.ok(`"op":"next-challenge"`)
	d.challenge(&ui.Challenge{At: 1})
	d.ok(`"op":"solve"`)
	d.at(2, "A.B")
	d.refused(`"op":"next-challenge"`, CodeNoChallenge)
}

func TestALessonWithoutAChallengeHasNoHint(t *testing.T) {
	d := open(t)
	d.session.lesson.Challenges = nil
	d.ok(`"op":"seek","pos":5`)
	d.challenge(nil)
	d.refused(`"op":"hint"`, CodeNoChallenge)
	d.refused(`"op":"solve"`, CodeNoChallenge)
	d.refused(`"op":"try"`, CodeNoChallenge)
}
