package lessons

import (
	"slices"
	"strings"
	"time"
)

// Way is a route through the lessons, for somebody or for some time.
type Way struct {
	Name     string
	Title    Text
	For      Text // one sentence: whom it is for, or where it leads
	Stations []Station
	After    string   // the way that is walked before; empty: none
	Known    []string // lessons whose content its readers know already
}

// Station is a lesson of a way, with those that lead aside from it.
type Station struct {
	Lesson string
	Aside  []string
}

// Lessons are the names of a way's lessons, in order.
func (w Way) Lessons() []string {
	return namesOf(w.Stations, func(s Station) string { return s.Lesson })
}

// In is the way as far as a catalog has it: somebody may have left lessons out.
func (w Way) In(catalog []*Lesson) Way {
	stations := w.Stations
	w.Stations = nil
	for _, s := range stations {
		if Find(catalog, s.Lesson) != nil {
			s.Aside = slices.DeleteFunc(slices.Clone(s.Aside), func(name string) bool { return Find(catalog, name) == nil })
			w.Stations = append(w.Stations, s)
		}
	}
	return w
}

// Find is the lesson of that name; nil: there is none.
func Find(catalog []*Lesson, name string) *Lesson {
	found, _ := find(catalog, func(l *Lesson) bool { return l.Name == name })
	return found
}

// Concern is a question that somebody may come with, and the step of a story that answers it.
type Concern struct {
	Asks   Text
	Lesson string
	Step   int
}

// What a lesson takes of a learner's time.
const (
	wordsPerMinute = 140 // of a text beside a diagram
	perMove        = 6 * time.Second
	mostMoves      = 8 // of a beat that count: of many at once, such as of a crowd, nobody looks at each
	perPrediction  = 20 * time.Second
	perChallenge   = 2 * time.Minute
)

// Minutes is how long a learner takes for a lesson, its challenges included: at least one minute.
func (l *Lesson) Minutes() int {
	words, moves, predictions := 0, 0, 0
	for _, b := range l.Story {
		words += len(strings.Fields(b.Say.Source.En))
		moves += min(len(b.Choices), mostMoves)
		if b.Ask != nil {
			predictions++
		}
	}
	takes := time.Duration(words)*time.Minute/wordsPerMinute + time.Duration(moves)*perMove +
		time.Duration(predictions)*perPrediction + time.Duration(len(l.Challenges))*perChallenge
	return max(1, int(takes.Round(time.Minute)/time.Minute))
}

// MinutesOf is how long a learner takes for the lessons of a way, of a catalog that has them all.
func (w Way) MinutesOf(catalog []*Lesson) int {
	all := 0
	for _, name := range w.Lessons() {
		all += Find(catalog, name).Minutes()
	}
	return all
}
