package lessons

import (
	"strings"
	"time"
)

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
