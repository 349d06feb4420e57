package ui

import (
	"lockstep/engine"
	"lockstep/lessons"
)

// ReasonText says why a choice may not happen now; empty when it may.
func ReasonText(lang lessons.Lang, r engine.Reason) string { return reasonIn(lang, r, span) }

func reasonIn(lang lessons.Lang, r engine.Reason, say spanText) string {
	switch r.Code {
	case engine.ReasonSleeping:
		return whySleeping.in(lang, instantIn(lang, r.At, say))
	case engine.ReasonWaiting:
		if r.At == engine.NoDeadline {
			return whyWaiting.in(lang)
		}
		return whyWaitingUntil.in(lang, instantIn(lang, r.At, say))
	case engine.ReasonPaused:
		return whyPaused.in(lang, r.Name)
	case engine.ReasonCrashed:
		return whyCrashed.in(lang, r.Name)
	case engine.ReasonDone:
		return whyDone.in(lang)
	case engine.ReasonFailed:
		return whyFailed.in(lang, r.Name)
	case engine.ReasonNothingDue:
		return whyNothingDue.in(lang)
	case engine.ReasonNotPaused:
		return whyNotPaused.in(lang, r.Name)
	case engine.ReasonNoMessage:
		return whyNoMessage.in(lang, r.Name)
	case engine.ReasonUnknown:
		return whyUnknown.in(lang, r.Name)
	}
	return string(r.Code)
}
