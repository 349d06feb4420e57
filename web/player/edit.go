package player

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/luaexec"
	"lockstep/web/ui"
)

// The bounds of what a learner writes, in bytes.
const (
	MaxSource = 16 << 10 // of one part
	maxEdits  = 40 << 10 // of all edits of a lesson, applied and offered
)

// edit is a learner's text for a part of the lesson.
type edit struct {
	Part   lessons.Part
	Of     string // the fingerprint of the part's original when the edit was made
	Source string
}

// fingerprint tells two versions of an original apart.
func fingerprint(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:4])
}

// normalizeNewlines makes all line ends \n, like the page's editor.
func normalizeNewlines(source string) string { return strings.ReplaceAll(source, "\r\n", "\n") }

func (s *Session) applyEdits(edits []edit) {
	if slices.Equal(edits, s.edits) && s.lesson != nil {
		return
	}
	s.edits, s.lesson, s.linkCode = edits, edited(s.original, edits), ""
}

func edited(l *lessons.Lesson, edits []edit) *lessons.Lesson {
	for _, e := range edits {
		l = l.With(e.Part, e.Source)
	}
	return l
}

// edit gives a part of the lesson another text and replays the timeline with it. An empty text, or the
// original, takes the edit back. Without a part, it applies the edits that a browser has kept.
func (s *Session) edit(ctx context.Context, c Command) *Error {
	if c.Part == "" {
		edits, offered, err := s.readEdits(c.Edits)
		if err != nil {
			return err
		}
		return s.rewrite(ctx, edits, offered)
	}
	part, original, err := s.part(c.Part)
	if err != nil {
		return err
	}
	source := normalizeNewlines(c.Source)
	rest := withoutPart(s.edits, part)
	if s.isOriginal(source, original) {
		return s.rewrite(ctx, rest, withoutPart(s.offered, part))
	}
	if err := s.checkSource(part, source); err != nil {
		return err
	}
	return s.rewrite(ctx, sortByPart(s.original, append(rest, edit{part, fingerprint(original), source})), withoutPart(s.offered, part))
}

// isOriginal tells whether a text takes the edit back: it is empty or the lesson's own.
func (s *Session) isOriginal(source, original string) bool {
	return strings.TrimSpace(source) == "" || source == normalizeNewlines(original) || source == normalizeNewlines(s.toEdit(original))
}

// toEdit is a source as the editor shows it.
func (s *Session) toEdit(source string) string {
	return ui.SourceToEdit(s.lang, s.original.Words, source)
}

// unedit takes back the edit of one part, or all.
func (s *Session) unedit(ctx context.Context, c Command) *Error {
	if c.Part == "" {
		return s.noticed(s.rewrite(ctx, nil, s.offered))
	}
	part, _, err := s.part(c.Part)
	if err != nil {
		return err
	}
	return s.noticed(s.rewrite(ctx, withoutPart(s.edits, part), s.offered))
}

// discard forgets an offered edit.
func (s *Session) discard(_ context.Context, c Command) *Error {
	part, _, err := s.part(c.Part)
	if err != nil {
		return err
	}
	s.offer(withoutPart(s.offered, part))
	return nil
}

// offer replaces the edits that are offered and not applied.
func (s *Session) offer(edits []edit) { s.offered, s.linkCode = edits, "" }

// check finds the mistake in a text for a part of the lesson. It changes nothing.
func (s *Session) check(c Command) *Error {
	part, _, err := s.part(c.Part)
	if err != nil || strings.TrimSpace(c.Source) == "" {
		return err
	}
	return s.checkSource(part, normalizeNewlines(c.Source))
}

// sources replies with the texts of the lesson's parts.
func (s *Session) sources(id int64) Message {
	answer := replyTo(id, nil)
	if e, ok := s.engineOf(s.kind); ok {
		answer.NoEdits = e.State(s.lang).Edits
	}
	for _, p := range s.original.Parts() {
		text := PartText{Part: p.String()}
		original, _ := s.original.Source(p)
		text.Original = s.toEdit(original)
		if text.Source, _ = s.lesson.Source(p); text.Source == original {
			text.Source = text.Original
		}
		for _, e := range s.offered {
			if e.Part == p {
				text.Offered = e.Source
			}
		}
		answer.Parts = append(answer.Parts, text)
	}
	return answer
}

// part reads the name of a part, and finds its original text.
func (s *Session) part(name string) (lessons.Part, string, *Error) {
	part, _ := lessons.ParsePart(name)
	original, ok := s.original.Source(part)
	if !ok {
		return part, "", s.refuse(CodeBadMessage, fact.Of("no-part", clip(name)))
	}
	return part, original, nil
}

// checkSource refuses a text that is too long or no Lua.
func (s *Session) checkSource(part lessons.Part, source string) *Error {
	if len(source) > MaxSource {
		return s.refuse(CodeTooLong, fact.Of("long-source", len(source), MaxSource))
	}
	wrong, is := errors.AsType[*luaexec.SyntaxError](part.Compiles(source))
	if !is {
		return nil
	}
	lines := strings.Split(source, "\n")
	line := min(max(wrong.Line, 1), len(lines))
	col, _ := wrong.Columns(lines[line-1])
	return &Error{Code: CodeSyntax, Msg: wrong.Message, Line: line, Col: col}
}

// rewrite replays the timeline with other edits. The timeline before becomes a branch. It sets no
// notice of its errors: the editor shows them below the text.
func (s *Session) rewrite(ctx context.Context, edits, offered []edit) *Error {
	if totalSize(edits)+totalSize(offered) > maxEdits {
		return s.refuse(CodeTooLong, fact.Of("long-edits", maxEdits))
	}
	if slices.Equal(edits, s.edits) {
		s.offer(offered)
		return nil
	}
	was := s.now
	s.applyEdits(edits)
	if err := s.replayOn(ctx, s.kind, s.now.choices); err != nil {
		s.applyEdits(was.edits)
		return s.engineFailure(fact.Of("cannot-edit", err), err)
	}
	if len(edits) > 0 && s.now.stopped != nil {
		s.notice = nil // the panel of edits tells where they stop the story
	}
	s.offer(offered)
	s.leave(was)
	s.answers = map[int]ui.Prediction{} // they were about another lesson
	s.compareWithBaseline(ctx)
	s.announcement = ui.EditsSentence(s.View())
	return nil
}

// editsView is the edits for the page; nil without any.
func (s *Session) editsView() *ui.Edits {
	if len(s.edits)+len(s.offered) == 0 {
		return nil
	}
	v := &ui.Edits{}
	for _, e := range s.edits {
		v.Parts = append(v.Parts, e.Part)
	}
	for _, e := range s.offered {
		v.Offered = append(v.Offered, e.Part)
	}
	if len(s.edits) > 0 {
		s.describeDifference(v)
	}
	return v
}

func withoutPart(edits []edit, p lessons.Part) []edit {
	return slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.Part == p })
}

// sortByPart sorts edits in the order of the lesson's parts.
func sortByPart(l *lessons.Lesson, edits []edit) []edit {
	parts := l.Parts()
	slices.SortStableFunc(edits, func(a, b edit) int { return slices.Index(parts, a.Part) - slices.Index(parts, b.Part) })
	return edits
}

func totalSize(edits []edit) (bytes int) {
	for _, e := range edits {
		bytes += len(e.Source)
	}
	return bytes
}
