package class

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/fact"
)

// folded is a class of a teacher and those who join by these names, whose tokens they are, too.
func folded(names ...string) *State {
	s := &State{}
	s.Apply(Event{Kind: Opened, Who: Hash("teacher"), Place: Place{Lesson: "set-nx"}})
	for _, name := range names {
		s.Apply(Event{Kind: Join, Who: Hash(name), Text: name})
	}
	return s
}

func TestATakenNameGetsANumber(t *testing.T) {
	s := folded("Ann", "ann", "Bob")
	s.Apply(Event{Kind: Join, Who: Hash("other"), Text: "Ann"})
	s.Apply(Event{Kind: Join, Who: Hash("other"), Text: "Ann"}) // sent twice
	var names []string
	for _, l := range s.Learners {
		names = append(names, l.Name)
	}
	if got := strings.Join(names, ", "); got != "Ann, ann 2, Bob, Ann 3" {
		t.Error(got)
	}
}

func TestAnAnswerCountsOnce(t *testing.T) {
	s := folded("Ann", "Bob")
	ask := Event{Kind: Ask, Who: Hash("teacher"), Options: []Option{{"yes", "Yes"}, {"no", "No"}}}
	s.Apply(ask)
	answer := func(who, text string, poll int) { s.Apply(Event{Kind: Answer, Who: Hash(who), Text: text, Step: poll}) }
	answer("Ann", "yes", 1)
	answer("Ann", "yes", 1)
	answer("Ann", "no", 1)
	s.Apply(ask)                // sent twice, too
	answer("Bob", "perhaps", 1) // nobody offers it
	answer("stranger", "no", 1)
	w := s.Wall()
	if w.Answered != 1 || len(w.Answers) != 2 || w.Answers[0].N != 1 || w.Answers[1].N != 0 || w.Poll.Counts != nil {
		t.Errorf("%+v", w)
	}
	s.Apply(Event{Kind: Reveal, Who: Hash("Ann")})
	if s.Poll.Shown {
		t.Error("a learner has shown the answers")
	}
	s.Apply(Event{Kind: Reveal, Who: Hash("teacher")})
	if counts := s.Shared().Poll.Counts; len(counts) != 2 {
		t.Errorf("the answers that are shown: %v", counts)
	}
	s.Apply(ask)
	answer("Bob", "no", 1) // to the question before
	if w := s.Wall(); w.Answered != 0 || w.Poll.N != 2 {
		t.Errorf("the next question begins with %d answers", w.Answered)
	}
}

// To a question that asks for words, any answer counts. The most frequent comes first.
func TestAnswersInOnesOwnWords(t *testing.T) {
	s := folded("Ann", "Bob", "Cem", "Dan", "Eve")
	s.Apply(Event{Kind: Ask, Who: Hash("teacher")})
	for who, answer := range map[string]string{"Ann": "7", "Bob": "42", "Cem": "42", "Dan": "8", "Eve": "42"} {
		s.Apply(Event{Kind: Answer, Who: Hash(who), Text: answer, Step: 1})
	}
	w := s.Wall()
	var got []string
	for _, a := range w.Answers {
		got = append(got, fmt.Sprintf("%s: %d", a.Value, a.N))
	}
	if all := strings.Join(got, ", "); w.Answered != 5 || all != "42: 3, 7: 1, 8: 1" {
		t.Errorf("%d answers: %s", w.Answered, all)
	}
}

func TestTheTeacherTakesALearnerOut(t *testing.T) {
	s := folded("Ann", "Rude", "Bob")
	s.Apply(Event{Kind: Ask, Who: Hash("teacher")})
	s.Apply(Event{Kind: Answer, Who: Hash("Rude"), Text: "x", Step: 1})
	s.Apply(Event{Kind: Lead, Who: Hash("teacher"), Of: Hash("Rude")})
	for range 2 { // sent twice
		s.Apply(Event{Kind: Remove, Who: Hash("teacher"), Of: Hash("Rude")})
	}
	s.Apply(Event{Kind: Remove, Who: Hash("Ann"), Of: Hash("Bob")})
	again := Event{Kind: Join, Who: Hash("Rude"), Text: "Nice"}
	s.Apply(again)
	w := s.Wall()
	if len(w.Learners) != 2 || w.Answered != 0 || w.Lead.Shown || w.Learners[1].Name != "Bob" || w.Learners[1].Number != 3 {
		t.Errorf("%+v", w)
	}
	for _, e := range []Event{again, {Kind: At, Who: Hash("Rude"), Place: Place{Lesson: "set-nx"}}} {
		if f, ok := errors.AsType[fact.Fact](s.Allow(e)); !ok || f.Code != "class-removed" {
			t.Errorf("%s of one who is out: %v", e.Kind, f)
		}
	}
}

// All of a lecture hall join from one network, and one machine there cannot take the places of everybody.
func TestOneNetworkDoesNotTakeAllPlaces(t *testing.T) {
	s := folded()
	join := func(n int, address string) error {
		e := Event{Kind: Join, Who: Hash(fmt.Sprint(address, n)), Text: "X", From: Network("ABCDEF", address)}
		err := s.Allow(e)
		s.Apply(e)
		return err
	}
	for n := range mostFromOne {
		if err := join(n, "192.0.2.1"); err != nil {
			t.Fatalf("learner %d of a hall: %v", n, err)
		}
	}
	if join(mostFromOne, "192.0.2.1") == nil || len(s.Learners) != mostFromOne {
		t.Errorf("%d of one network have joined", len(s.Learners))
	}
	if err := join(0, "198.51.100.1"); err != nil {
		t.Errorf("one of another network: %v", err)
	}
}

// Who was taken out does not come back by another browser, once the teacher has shut the door; those inside go on.
func TestNobodyNewComesThroughAShutDoor(t *testing.T) {
	s := folded("Ann", "Rude")
	s.Apply(Event{Kind: Remove, Who: Hash("teacher"), Of: Hash("Rude")})
	s.Apply(Event{Kind: Door, Who: Hash("teacher"), Text: Shut})
	again := Event{Kind: Join, Who: Hash("another browser"), Text: "Rude"}
	if f, ok := errors.AsType[fact.Fact](s.Allow(again)); !ok || f.Code != "class-shut" {
		t.Errorf("one who comes to a shut door: %v", f)
	}
	s.Apply(again)
	if w := s.Wall(); len(w.Learners) != 1 || !w.Shut {
		t.Errorf("%+v", w)
	}
	for _, e := range []Event{{Kind: At, Place: Place{Lesson: "set-nx"}}, {Kind: Join, Text: "Ann"}} {
		e.Who = Hash("Ann")
		if err := s.Allow(e); err != nil {
			t.Errorf("%s of one who is in: %v", e.Kind, err)
		}
	}
	s.Apply(Event{Kind: Door, Who: Hash("teacher"), Text: "open"})
	if err := s.Allow(again); err != nil {
		t.Errorf("one who comes to an open door: %v", err)
	}
}

func TestTheTeacherLeadsToAPlaceOfALearner(t *testing.T) {
	s := folded("Ann")
	at := Place{Lesson: "set-nx", Query: "s=v1.00000000.A.B&p=2"}
	s.Apply(Event{Kind: At, Who: Hash("Ann"), Place: at, Step: 2})
	s.Apply(Event{Kind: Lead, Who: Hash("teacher"), Of: Hash("Ann")})
	if lead := s.Shared().Lead; lead.Place != at || lead.By != "Ann" || lead.N != 1 {
		t.Errorf("%+v", lead)
	}
	s.Apply(Event{Kind: Names, Who: Hash("teacher"), Text: Hidden})
	if by := s.Shared().Lead.By; by != "" {
		t.Errorf("a hidden name is told: %s", by)
	}
}

func TestTheWallRanksWhatLearnersHaveBroken(t *testing.T) {
	s := folded("Ann", "Bob", "Cy")
	broke := func(who string, moves int) {
		s.Apply(Event{Kind: At, Who: Hash(who), Place: Place{"set-nx", fmt.Sprintf("p=%d", moves)}, Step: moves, Text: Broke, Time: 7})
	}
	broke("Ann", 9)
	broke("Bob", 5)
	broke("Ann", 4)
	broke("Ann", 6)
	for _, who := range []string{"Ann", "Bob"} {
		s.Apply(Event{Kind: Guessed, Who: Hash(who), Place: Place{Lesson: "set-nx"}, Step: 3, Text: map[bool]string{true: Right, false: Wrong}[who == "Ann"]})
		s.Apply(Event{Kind: Guessed, Who: Hash(who), Place: Place{Lesson: "set-nx"}, Step: 3, Text: Right}) // their second
	}
	w := s.Wall()
	if len(w.Race) != 2 || w.Race[0].Name != "Ann" || w.Race[0].Moves != 4 || w.Race[1].Moves != 5 {
		t.Errorf("race: %+v", w.Race)
	}
	if len(w.Heat) != 1 || w.Heat[0] != (Heat{"set-nx", 3, 1, 1}) {
		t.Errorf("heat: %+v", w.Heat)
	}
	if tile := w.Learners[0]; !tile.Broke || tile.Step != 6 || tile.Since != 7 {
		t.Errorf("tile: %+v", tile)
	}
}

func TestWhoMaySendWhat(t *testing.T) {
	s := folded("Ann")
	for _, c := range []struct {
		e  Event
		ok bool
	}{
		{Event{Kind: Lead, Who: Hash("teacher")}, true},
		{Event{Kind: Lead, Who: Hash("Ann")}, false},
		{Event{Kind: Opened, Who: Hash("Ann")}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}}, true},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "../x"}}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}, Text: "won"}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx", Query: "p=2&class=ABCDEF"}}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx", Query: "%zz"}}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}, Options: []Option{{"yes", "Yes"}}}, false},
		{Event{Kind: At, Who: Hash("Ann"), Step: 3}, false},
		{Event{Kind: Guessed, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}, Text: Right}, true},
		{Event{Kind: Guessed, Who: Hash("Ann"), Text: Right}, false},
		{Event{Kind: Guessed, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}, Text: "nearly"}, false},
		{Event{Kind: Answer, Who: Hash("Ann"), Text: " "}, false},
		{Event{Kind: Answer, Who: Hash("Ann"), Text: "七 秒　五"}, true},
		{Event{Kind: Answer, Who: Hash("Ann"), Text: "7\u202es"}, false},
		{Event{Kind: Answer, Who: Hash("Ann"), Text: strings.Repeat("七", 61)}, false},
		{Event{Kind: Remove, Who: Hash("Ann"), Of: Hash("Ann")}, false},
		{Event{Kind: Door, Who: Hash("Ann"), Text: Shut}, false},
		{Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx", Query: strings.Repeat("x", 2001)}}, false},
		{Event{Kind: At, Who: Hash("stranger"), Place: Place{Lesson: "set-nx"}}, false},
		{Event{Kind: Mode, Who: Hash("teacher"), Text: "dance"}, false},
		{Event{Kind: Join, Who: Hash("stranger"), Text: "Bob"}, true},
	} {
		if err := s.Allow(c.e); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.e, err)
		}
	}
	s.Bytes = mostPlaces
	at, answer := Event{Kind: At, Who: Hash("Ann"), Place: Place{Lesson: "set-nx"}}, Event{Kind: Answer, Who: Hash("Ann"), Step: 1, Text: "7"}
	if s.Allow(at) == nil || s.Allow(answer) != nil {
		t.Error("places are told, or answers are not, of a class that has said much")
	}
	s.Bytes = mostBytes
	if s.Allow(answer) == nil || s.Allow(Event{Kind: Close, Who: Hash("teacher")}) != nil {
		t.Error("a class never ends")
	}
	s.Bytes, s.Learners[0].Bytes = 0, mostLearner
	if s.Allow(at) == nil {
		t.Error("a flood is taken")
	}
	for n := range MostLearners {
		s.Apply(Event{Kind: Join, Who: Hash(strings.Repeat("x", n+1)), Text: "X"})
	}
	if s.Allow(Event{Kind: Join, Who: Hash("one more"), Text: "Y"}) == nil || len(s.Learners) != MostLearners {
		t.Errorf("%d learners, and one more may join", len(s.Learners))
	}
	s.Apply(Event{Kind: Close, Who: Hash("teacher")})
	if s.Allow(Event{Kind: Lead, Who: Hash("teacher")}) == nil {
		t.Error("a class goes on after its end")
	}
}

// Whoever has joined and joins again and again uses up what they may send themselves, not what the class may.
func TestJoiningAgainCountsAsSending(t *testing.T) {
	s := folded("Ann", "Bob")
	again := Event{Kind: Join, Who: Hash("Ann"), Text: "Ann", Size: mostLearner / 64}
	sent := 0
	for ; sent < 200 && s.Allow(again) == nil; sent++ {
		s.Apply(again)
	}
	if sent != 64 || len(s.Learners) != 2 {
		t.Errorf("one learner joined %d times more, as %d learners", sent, len(s.Learners))
	}
	if err := s.Allow(Event{Kind: Join, Who: Hash("Cem"), Text: "Cem"}); err != nil {
		t.Errorf("another cannot join: %v", err)
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"  Ann \t Lee ": "Ann Lee", "小明": "小明", "José": "José", "<b>Bob</b>": "<b>Bob</b>", "A\u202enn\x00": "Ann", "Ann\u3164\u2800": "Ann", "Trần Thị Lệ": "Trần Thị Lệ",
		"": "", "   ": "", "\u200b": "", "\u3164": "", "---": "", strings.Repeat("x", 25): "", "Z" + strings.Repeat("\u0301", 5): "",
	} {
		got, err := CleanName(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is shown as %q, %v", text, got, err)
		}
	}
}

func TestCodesAreReadAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]bool{"abc def": true, "ABCDEF": true, "ABCDE": false, "ABCDE0": false, "../../": false} {
		if code, ok := ParseCode(text); ok != want {
			t.Errorf("%q: %q, %t", text, code, ok)
		}
	}
	if _, ok := ParseCode(newCode()); !ok {
		t.Error("a new code is none")
	}
}

func TestTheTeacherIsWhoHasTheToken(t *testing.T) {
	s := folded()
	if !s.IsTeacher("teacher") || s.IsTeacher(Hash("teacher")) || s.IsTeacher("") || (&State{}).IsTeacher("") {
		t.Error("somebody else is taken for the teacher")
	}
}
