package main

import (
	"maps"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// weakestJSON is how little has to be allowed for a rule to break.
type weakestJSON struct {
	Text    string        `json:"text"`
	Breaks  []allowedJSON `json:"breaks,omitempty"`  // each is enough
	Holds   []allowedJSON `json:"holds,omitempty"`   // with so much it holds
	Unknown []allowedJSON `json:"unknown,omitempty"` // the search was stopped
}

// allowedJSON is what may happen in a search.
type allowedJSON struct {
	Time   string                    `json:"time"`
	Faults map[engine.ChoiceKind]int `json:"faults"`
}

func weakestAsJSON(w *lessons.Weakest) weakestJSON {
	return weakestJSON{ui.WeakestText(lessons.En, w), allowedAsJSON(w.Enough), allowedAsJSON(w.Holding), allowedAsJSON(w.Open)}
}

func allowedAsJSON(all []search.Bounds) []allowedJSON {
	var out []allowedJSON
	for _, b := range all {
		one := allowedJSON{b.Time.String(), map[engine.ChoiceKind]int{}}
		maps.Copy(one.Faults, b.Faults)
		out = append(out, one)
	}
	return out
}

// withoutEach is how the search of something that breaks ends without each fault.
func withoutEach(w *lessons.Weakest) map[engine.ChoiceKind]search.Ending {
	without := map[engine.ChoiceKind]search.Ending{}
	for kind, n := range w.Asked().Faults {
		if n > 0 {
			without[kind] = w.Without(kind)
		}
	}
	return without
}
