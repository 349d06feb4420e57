package ui

import (
	"strings"

	"lockstep/lessons"
)

// proofSummary says how far a proof is, or what it has found.
func proofSummary(lang lessons.Lang, p *lessons.Proof, running, waits bool) string {
	if waits {
		return searchWaits.in(lang)
	}
	if running {
		return proofRunning.in(lang, p.At+1, len(p.Findings), p.Progress.States, p.Progress.Depth)
	}
	isFalse := func(f lessons.Finding) bool { return !f.Open() && !f.Proven() }
	return joinSentences(lang, []string{
		counted(lang, p.Findings, proofFalse, isFalse), counted(lang, p.Findings, proofOpen, lessons.Finding.Open), counted(lang, p.Findings, proofTrue, lessons.Finding.Proven),
	})
}

// counted is a sentence with how many verdicts and repairs there are of a sort; empty: none.
func counted(lang lessons.Lang, all []lessons.Finding, sentence msg, is func(lessons.Finding) bool) string {
	var counts [2]int
	for _, f := range all {
		if is(f) {
			counts[min(f.Challenge, 1)]++
		}
	}
	var parts []string
	for i, words := range [2][2]msg{proofVerdicts, proofRepairs} {
		if n := counts[i]; n > 0 {
			parts = append(parts, words[min(n, 2)-1].in(lang, n))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return sentence.in(lang, strings.Join(parts, clauseAnd.in(lang)))
}
