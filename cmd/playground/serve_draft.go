package main

import (
	"context"
	"errors"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/draft"
	"lockstep/web"
)

// Bounds of each search of scripts that a visitor has pasted, who waits for all of them.
const (
	pastedStates = 50_000
	pastedTime   = 500 * time.Millisecond
)

// draftOf makes a lesson of texts that a visitor has pasted: scripts, or code with scripts in it.
func draftOf(ctx context.Context, texts []string) (web.Drafted, error) {
	var scripts []draft.Script
	var chosen draft.Chosen
	names := []string{"text"} // which tells nothing: it may limit a rate, or give a lock back
	if len(texts) > 1 {
		names = []string{"lock", "unlock"}
	}
	for i, text := range texts {
		found, err := draft.Scripts(names[i], text)
		if why, ok := errors.AsType[fact.Fact](err); ok && why.Code == "draft-no-script" && len(texts) == 1 { // a text has no name
			err = fact.Of("draft-none-pasted")
		}
		if err != nil {
			return web.Drafted{}, err
		}
		scripts = draft.Add(scripts, found...)
		if i == 1 && len(found) == 1 {
			chosen.Give = scripts[len(scripts)-1].Name
		}
	}
	const folder = author.BlankNumber + "-my-lock"
	made, err := author.Reader{}.Draft(ctx, folder, scripts, chosen, bounded(pastedStates, pastedTime))
	if err != nil {
		return web.Drafted{}, err
	}
	blank := author.Reader{}.Blank()
	out := web.Drafted{Folder: folder, Files: made.Files, Of: lessons.Fingerprint(author.Reader{}.Files(blank))}
	out.Doubts, out.Found, out.Rules = made.Doubts, made.Found, made.Rules
	return out, nil
}
