package search_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

var catalog = sync.OnceValues(func() ([]*lessons.Lesson, error) { return decode.All(lessons.FS) })

// lesson is a copy of one of the catalogue's, which the test may change.
func lesson(tb testing.TB, name string) *lessons.Lesson {
	tb.Helper()
	all, err := catalog()
	if err != nil {
		tb.Fatal(err)
	}
	for _, l := range all {
		if l.Name == name {
			own := *l
			return &own
		}
	}
	tb.Fatal("there is no lesson " + name)
	return nil
}

// written is a lesson with this in its lesson.yaml, besides what says nothing about what happens.
func written(tb testing.TB, text string) *lessons.Lesson {
	tb.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(`
title: {en: x, zh: x}
summary: {en: x, zh: x}
chapter: more
level: advanced
story: [{run: A}]
` + text)}}, "01-x")
	if l == nil {
		tb.Fatal(err)
	}
	return l
}

func scenarioOf(tb testing.TB, l *lessons.Lesson) engine.Scenario {
	tb.Helper()
	s, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// clients is a lesson in which so many clients run the same program, each in a process of
// its own.
func clients(tb testing.TB, name, program string, n int) engine.Scenario {
	tb.Helper()
	l := lesson(tb, name)
	l.Actors, l.Faults = nil, nil
	for i := range n {
		l.Actors = append(l.Actors, lessons.Actor{Name: string(rune('A' + i)), Process: fmt.Sprintf("jvm-%d", i+1), Program: program})
	}
	return scenarioOf(tb, l)
}

const reentrant = `
while not trylock("anyLock") do sleep("10s") end
work("10s")
trylock("anyLock")
work("5s")
unlock("anyLock")
work("1s")
unlock("anyLock")`

const redisson = `
lock("anyLock")
work("15s")
unlock("anyLock")`

// A node that is being sent a slot takes requests of it with ASKING only: who was refused there asks
// again, and gets inside.
func TestASearchKnowsARequestWithAskingFromOneWithout(t *testing.T) {
	l := lesson(t, "moving-slot")
	l.Actors = slices.DeleteFunc(slices.Clone(l.Actors), func(a lessons.Actor) bool { return a.Name == "B" })
	v, err := search.Explore(t.Context(), scenarioOf(t, l), search.Bounds{Time: search.Arrive}, nil)
	if err != nil || v.Ending != search.Holds {
		t.Fatal(v.Ending, err)
	}
	for _, s := range v.Sometimes {
		if s.Name == search.Enters && s.Of == "C" && !s.Seen {
			t.Error("C never gets the lock, which it does as soon as A has given it back")
		}
	}
}
