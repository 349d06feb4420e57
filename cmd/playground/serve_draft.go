package main

import (
	"context"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/draft"
	"lockstep/web"
	"lockstep/web/ui"
)

// pastedStates bound each search of scripts that a visitor has pasted.
const pastedStates = 50_000

// draftOf makes a lesson of texts that a visitor has pasted: scripts, or code with scripts in it.
func draftOf(ctx context.Context, texts []string) (web.Drafted, error) {
	var scripts []draft.Script
	var chosen draft.Chosen
	for i, text := range texts {
		found, err := draft.Scripts([]string{"lock", "unlock"}[i], text)
		if err != nil {
			return web.Drafted{}, err
		}
		if i == 1 && len(found) == 1 {
			chosen.Give = found[0].Name
		}
		scripts = append(scripts, found...)
	}
	const folder = author.BlankNumber + "-my-lock"
	made, err := author.Reader{}.Draft(ctx, folder, scripts, chosen, pastedStates)
	if err != nil {
		return web.Drafted{}, err
	}
	blank := author.Reader{}.Blank()
	out := web.Drafted{Folder: folder, Files: made.Files, Of: lessons.Fingerprint(author.Reader{}.Files(blank))}
	out.Doubts = made.Doubts
	for _, f := range made.Found {
		found := ui.DraftFound{Alone: f.Question.Invariant, Verdict: f.Verdict, Trace: f.Trace}
		for kind := range f.Question.Bounds.Faults {
			found.Fault = kind
		}
		out.Found = append(out.Found, found)
	}
	return out, nil
}
