package player

import (
	"context"
	"slices"

	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// fillStates bounds each search that makes a verdict for a lesson that has none.
const fillStates = 5_000

// proving is a proof of what an author's text claims.
type proving struct {
	of string // tells the text: an edit makes it another one, of which nothing is proven
	*lessons.Proof
	running bool
	waits   Command // that its end answers
	cut     bool    // others wanted its memory: it is proven anew when it is asked for again
	asked   bool    // a command to save was refused because not all is proven: the next one is not
}

func (p *proving) runs() bool { return p != nil && p.running }

// proofOf is the proof of a text, or a new one that has not begun.
func (s *Session) proofOf(l *lessons.Lesson) *proving {
	of := s.Author.original(l)
	if s.proof != nil && s.proof.of == of {
		return s.proof
	}
	p := &proving{of: of}
	p.Proof = l.NewProof(search.Bounds{Bytes: searchBytes, Casts: searchCasts, Full: func() bool {
		full := s.isFull()
		p.cut = p.cut || full
		return full
	}})
	return p
}

// writes notes what an author's text is now.
func (s *Session) writes(l *lessons.Lesson) {
	same := l != nil && s.written != nil && s.Author.original(l) == s.Author.original(s.written)
	s.written, s.screen.dirty = l, s.screen.dirty || !same
}

// prove begins to prove the files of a lesson, or goes on with it; to save them it does so unless it was done. Those
// with mistakes are not saved, because all sessions would see them. The reply is empty as long as the proof goes on.
func (s *Session) prove(ctx context.Context, c Command) Message {
	saves, a := c.Op == OpSave, s.Author
	if saves && !a.saves(s.listed) {
		return replyTo(c.ID, s.refuse(CodeNotSaved, s.notKept()))
	}
	if saves && s.listed != a.Blank() {
		c.Folder = folderOf(s.listed)
	}
	l, found, err := a.read(s.lang, s.listed, c.Folder, c.Files)
	if saves {
		ctx, end := s.withReplayTimeout(ctx)
		defer end()
		found = a.checked(ctx, l, found)
		if n := len(found.Of(lessons.Error)); n > 0 && (err == nil || err.Code == CodeMistakes) {
			err = s.refuse(CodeMistakes, fact.Of("mistakes-not-saved", n))
		}
	}
	if err == nil {
		p := s.proofOf(l)
		if saves && (p.At == len(p.Findings) || p.asked) {
			return s.proven(c, p)
		}
		if p.cut {
			s.proof = nil
			p = s.proofOf(l)
		}
		s.beginProof(p, c)
	}
	if err != nil {
		return s.tell(c, found, err)
	}
	return Message{}
}

// notKept says why nobody keeps the files of the lesson.
func (s *Session) notKept() fact.Fact {
	if _, err := s.Catalog.Now().find(s.listed.Name); err != nil {
		return fact.Of("lesson-gone")
	}
	return fact.Of("no-store")
}

// tell is a reply that tells what was found in files.
func (s *Session) tell(c Command, found lessons.Problems, err *Error) Message {
	m := replyTo(c.ID, err)
	m.Problems = s.Author.problems(s.lang, c.Folder, found)
	return m
}

// beginProof proves what is left, in place of all else that goes on.
func (s *Session) beginProof(p *proving, c Command) {
	s.callOff()
	p.waits, p.running = c, true
	s.proof, s.room, s.hz, s.screen.dirty = p, room{}, 0, true
	s.enter()
}

func (s *Session) proveOn(ctx context.Context) {
	s.screen.dirty = true
	p := s.proof
	done, _ := s.slice(ctx, func(ctx context.Context, states int) (bool, error) { return p.Continue(ctx, states), nil })
	if done {
		s.endProof()
	}
}

// endProof ends a proof, however far it is, and answers the command that waits for it.
func (s *Session) endProof() {
	p := s.proof
	p.CallOff()
	p.running, s.screen.dirty = false, true
	s.owed = append(s.owed, s.proven(p.waits, p))
}

// proven answers a command after a proof. It saves files of which nothing is known to be false, and where not all is
// proven when it is told so again.
func (s *Session) proven(c Command, p *proving) Message {
	wrong := p.Problems(lessons.Warning).Of(lessons.Error)
	open := slices.ContainsFunc(p.Findings, lessons.Finding.Open)
	switch {
	case c.Op == OpProve:
		return replyTo(c.ID, nil)
	case c.Op == OpFill:
		return s.filled(c, p)
	case len(wrong) > 0:
		return replyTo(c.ID, s.refuse(CodeNotSaved, fact.Of("claim-not-saved", wrong[0].Place)))
	case open && !p.asked:
		p.asked = true
		return replyTo(c.ID, s.refuse(CodeNotSaved, fact.Of("unproven-not-saved")))
	}
	answer := s.save(c)
	if answer.OK && open {
		answer.Unproven = ui.Tell(s.lang, fact.Of("saved-unproven"))
	}
	return answer
}

// filled is a lesson.yaml with what a proof and the story show.
func (s *Session) filled(c Command, p *proving) Message {
	l, _, err := s.Author.read(s.lang, s.listed, c.Folder, c.Files)
	if err != nil {
		return replyTo(c.ID, err)
	}
	ctx, end := s.withReplayTimeout(context.Background())
	defer end()
	text, failed := s.Author.Fill(ctx, c.Folder, l, p.Proof, fillStates)
	if failed != nil {
		return replyTo(c.ID, s.refuse(CodeMistakes, failed))
	}
	answer := replyTo(c.ID, nil)
	if yaml := s.Author.Files(l)[0]; text != yaml.Text {
		yaml.Text = text
		answer.Files = []lessons.File{yaml}
	}
	return answer
}

// save replaces the files of a lesson, and is its reply.
func (s *Session) save(c Command) Message {
	answer := replyTo(c.ID, nil)
	var failed error
	if s.listed == s.Author.Blank() {
		answer.Folder, failed = s.Author.store.Create(c.Folder, c.Files)
	} else {
		answer.Of, failed = s.Author.store.Save(s.listed, c.Of, c.Files)
	}
	if failed != nil {
		return replyTo(c.ID, s.refuse(CodeNotSaved, failed))
	}
	if answer.Of != "" {
		s.draftSaved(answer.Of)
	}
	return answer
}
