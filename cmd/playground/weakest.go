package main

import (
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
	Time   string         `json:"time"`
	Faults map[string]int `json:"faults"`
}

func weakestAsJSON(w *lessons.Weakest) weakestJSON {
	return weakestJSON{ui.WeakestText(lessons.En, w), allowedAsJSON(w.Enough), allowedAsJSON(w.Holding), allowedAsJSON(w.Open)}
}

func allowedAsJSON(all []search.Bounds) []allowedJSON {
	var out []allowedJSON
	for _, b := range all {
		one := allowedJSON{b.Time.String(), map[string]int{}}
		for kind, n := range b.Faults {
			one.Faults[string(kind)] = n
		}
		out = append(out, one)
	}
	return out
}

// otherwiseJSON is how the search of something that breaks ends without each fault, and under each stricter assumption
// about time.
func otherwiseJSON(w *lessons.Weakest) (without, under map[string]string) {
	without, under = map[string]string{}, map[string]string{}
	for kind, n := range w.Asked().Faults {
		if n > 0 {
			without[string(kind)] = string(w.Without(kind))
		}
	}
	for t, ending := range w.Under() {
		under[t] = string(ending)
	}
	return without, under
}
