package ui

import (
	"maps"
	"slices"
	"strings"

	"lockstep/engine/search"
	"lockstep/lessons"
)

// WeakestText words how little has to be allowed for a rule to break, or, where none breaks, what is allowed.
func WeakestText(lang lessons.Lang, w *lessons.Weakest) string {
	var said []string
	switch {
	case len(w.Enough) > 0:
		if b := w.Enough[0]; b.Time == search.Prompt && len(faultTexts(lang, b)) == 0 {
			return weakestAnyhow.in(lang)
		}
		said = append(said, weakestBreaks.in(lang, eachText(lang, w.Enough, allowedText)))
		if len(w.Holding) > 0 {
			said = append(said, weakestHolds.in(lang, eachText(lang, w.Holding, sparedText(w))))
		}
		if w.Coarse {
			said = append(said, weakestCoarse.in(lang))
		}
	case len(w.Holding) > 0:
		if grants := allowedText(lang, w.Holding[0]); grants != "" {
			said = append(said, weakestHoldsWith.in(lang, grants))
		} else {
			said = append(said, weakestHoldsBare.in(lang))
		}
	}
	if len(w.Open) > 0 && len(said) > 0 {
		said = append(said, weakestOpen.in(lang, eachText(lang, w.Open, sparedText(w))))
	}
	return joinSentences(lang, said)
}

// eachText words some bounds, in the same way.
func eachText(lang lessons.Lang, all []search.Bounds, word func(lessons.Lang, search.Bounds) string) string {
	return joined(all, weakestOr.in(lang), func(b search.Bounds) string { return word(lang, b) })
}

// allowedText is what may happen, with which not everybody is at once where they should be.
func allowedText(lang lessons.Lang, b search.Bounds) string {
	parts := faultTexts(lang, b)
	switch {
	case b.Time.Any:
		parts = append(parts, weakestAny.in(lang))
	case b.Time.Late > 0:
		parts = append(parts, weakestLate.in(lang, span(lang, b.Time.Late)))
	case !b.Time.Sync:
		parts = append(parts, weakestArrive.in(lang))
	}
	return strings.Join(parts, weakestAnd.in(lang))
}

// sparedText words what may not happen of what was allowed in a search: of what is as it was there, it says nothing, unless something
// else is said with the same faults.
func sparedText(w *lessons.Weakest) func(lessons.Lang, search.Bounds) string {
	asked := w.Asked()
	return func(lang lessons.Lang, b search.Bounds) string {
		var parts []string
		faults := faultTexts(lang, b)
		switch {
		case slices.Equal(faults, faultTexts(lang, asked)):
		case len(faults) == 0:
			parts = append(parts, weakestNoFault.in(lang))
		default:
			parts = append(parts, weakestOnly.in(lang, strings.Join(faults, weakestAnd.in(lang))))
		}
		switch {
		case b.Time == asked.Time && !otherwise(lang, w, b):
		case b.Time.Any:
			parts = append(parts, searchIfAny.in(lang))
		case b.Time.Late > 0:
			parts = append(parts, searchIfLate.in(lang, span(lang, b.Time.Late)))
		case b.Time.Sync:
			parts = append(parts, weakestAtOnce.in(lang))
		case b.Time == asked.Time:
			parts = append(parts, weakestWhenever.in(lang))
		default:
			parts = append(parts, weakestPunctual.in(lang))
		}
		return strings.Join(parts, clauseComma.in(lang))
	}
}

// otherwise tells whether something is said of the same faults under another assumption about time.
func otherwise(lang lessons.Lang, w *lessons.Weakest, b search.Bounds) bool {
	return slices.ContainsFunc(slices.Concat(w.Holding, w.Open), func(o search.Bounds) bool {
		return o.Time != b.Time && slices.Equal(faultTexts(lang, o), faultTexts(lang, b))
	})
}

// faultTexts are the faults that may happen, with how often.
func faultTexts(lang lessons.Lang, b search.Bounds) []string {
	var faults []string
	for _, kind := range slices.Sorted(maps.Keys(b.Faults)) {
		word := choiceWords[string(kind)].bounded.in(lang)
		switch n := b.Faults[kind]; n {
		case 0:
		case 1:
			faults = append(faults, weakestOne.in(lang, word))
		default:
			faults = append(faults, weakestMany.in(lang, n, word))
		}
	}
	return faults
}
