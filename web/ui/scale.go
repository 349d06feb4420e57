package ui

import (
	"math"
	"slices"
	"time"

	"lockstep/engine"
)

// Time is drawn to scale: where the clock moves, a second has the same height in all of a lesson. The measure is
// taken of the moves of the story, which are known before any of them is made: nothing moves when more comes.
const (
	stageHeight = 560 // of a story's diagram, where it can be
	lowStage    = 420 // of a low desk: it has the whole story, unless that would be crowded
	axisHead    = 18  // above the first row

	leastRow, mostRow = 18, 30  // of a step
	leastGap, mostGap = 18, 220 // of a move of the clock; one that would be higher off the story is folded
	afterGap          = 8       // below a move of the clock
	foldedGap         = 36
	leastMark         = 8 // pixels between two marks of the ruler

	usualSecond = 12.0 // pixels, where no story has a move of the clock
)

// scale is how high a step is and how high a second.
type scale struct {
	row     int
	second  float64
	longest time.Duration // a longer move is folded; 0: there is no move
}

// scaleOf is the measure of a lesson.
func scaleOf(v *View) scale {
	rows, spans := storyMoves(v)
	if sc, crowded := scaleIn(lowStage, rows, spans); !crowded {
		return sc
	}
	sc, _ := scaleIn(stageHeight, rows, spans)
	return sc
}

// scaleIn is the measure by which a story fills some pixels. It is crowded where its steps leave too few for one another, or for
// the time that passes.
func scaleIn(height, rows int, spans []time.Duration) (sc scale, crowded bool) {
	const (
		fairRow  = 20  // of a step among many
		fairTime = .28 // of all
	)
	longest := longestDrawn(spans)
	folds := 0
	var all float64
	for _, s := range spans {
		if s > longest {
			folds++
		} else {
			all += s.Seconds()
		}
	}
	moves := float64(len(spans) - folds)
	free := float64(height - axisHead - afterGap*len(spans) - foldedGap*folds)
	if len(spans) == 0 {
		return scale{min(max(leastRow, int(free)/max(rows, 1)), mostRow), usualSecond, longest}, height < stageHeight
	}
	row := min(max(leastRow, int(free/2)/max(rows, 1)), 28)
	if all == 0 {
		return scale{row, usualSecond, longest}, row < fairRow
	}
	least := max(fairTime*free, leastGap*moves)
	left := free - float64(row*rows)
	second := min(secondIn(max(left, least), spans, longest), mostGap/longest.Seconds())
	return scale{row, second, longest}, row < fairRow || left < least
}

// secondIn is how high a second is, so that moves of the clock fill some room.
func secondIn(room float64, spans []time.Duration, longest time.Duration) float64 {
	low, high := 0.0, room/max(spans[0].Seconds(), .001)
	for range 40 {
		second := (low + high) / 2
		var all float64
		for _, s := range spans {
			if s <= longest {
				all += max(leastGap, second*s.Seconds())
			}
		}
		if all > room {
			high = second
		} else {
			low = second
		}
	}
	return low
}

// storyMoves are how many steps of a story stand still, and the spans of the others, the shortest first. How far the
// clock moves up to what is due next the story does not say: it counts as the mean of the others, or as nothing.
func storyMoves(v *View) (rows int, spans []time.Duration) {
	open := 0
	var all time.Duration
	for _, c := range v.Lesson.Choices() {
		switch {
		case c.Kind != engine.Tick:
			rows++
		case c.Span == 0:
			open++
		default:
			spans = append(spans, c.Span)
			all += c.Span
		}
	}
	var usual time.Duration
	if len(spans) > 0 {
		usual = all / time.Duration(len(spans))
	}
	for range open {
		spans = append(spans, usual)
	}
	slices.Sort(spans)
	return rows, spans
}

// longestDrawn is the longest of some spans that is drawn to scale: beside those that are much longer, the others would
// be nothing.
func longestDrawn(spans []time.Duration) time.Duration {
	const much = 20
	for i := len(spans) / 4; i+1 < len(spans); i++ {
		if spans[i] > 0 && spans[i+1]/spans[i] >= much {
			return spans[i]
		}
	}
	if len(spans) == 0 {
		return 0
	}
	return spans[len(spans)-1]
}

// gap is how many pixels a step leaves free for the time that passes.
func (sc scale) gap(s *engine.Step) (pixels int, folded bool) {
	if s.Choice.Kind.Of() != engine.TheClock {
		return 0, false
	}
	span := s.At - s.From
	if high := sc.pixels(span); span <= sc.longest || high <= mostGap {
		return max(leastGap, high), false
	}
	return foldedGap, true
}

// pixels is how high a span is, at most as much as no screen has.
func (sc scale) pixels(d time.Duration) int {
	return int(min(math.Round(d.Seconds()*sc.second), 1e6))
}

// units are the spans between two marks of the ruler, in seconds. What has no pixels for the last one is folded.
var units = []float64{.001, .01, .1, 1, 5, 10, 30, 60, 300, 3600, 86400, math.MaxInt}

// unit is the span between two marks, in seconds, that leaves at least so many pixels between them.
func (sc scale) unit(least float64) float64 {
	return units[slices.IndexFunc(units, func(u float64) bool { return u*sc.second >= least })]
}
