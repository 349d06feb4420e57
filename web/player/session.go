package player

import (
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/quota"
	"lockstep/lessons"
	"lockstep/node/redis"
	"lockstep/web/ui"
)

// Playground is shared by all sessions. Only its catalog and its memory change while they live.
type Playground struct {
	Catalog *Catalog
	Engines []Engine // at least one; the first is the default
	Author  *Author  // nil: lessons cannot be written here

	// Memory bounds all sessions together. Nil: each has only bounds of its own.
	Memory *quota.Pool
	// WithReplayTimeout bounds a replay, with a cause for learners to read. Nil: no bound.
	WithReplayTimeout func(context.Context) (context.Context, context.CancelFunc)
	// WithStartTimeout bounds the start on an engine other than the default one, so that time is left
	// to fall back on the default.
	WithStartTimeout func(context.Context) (context.Context, context.CancelFunc)
	// SearchTime is the length of a slice of a search, by the clock Now. 0: a slice is searchSlice states, and
	// Now is not asked.
	SearchTime time.Duration
	Now        func() time.Time
}

// Session is one learner: a lesson, an engine, a schedule and a place in it. It
// may be used by one goroutine at a time.
type Session struct {
	*Playground
	id     string
	lang   lessons.Lang
	memory *quota.Share
	room   room

	edition    *Edition        // of the catalog, as of the load or the last refresh
	listed     *lessons.Lesson // from the catalog; nil until one is loaded
	original   *lessons.Lesson // listed, or an author's draft of it
	lesson     *lessons.Lesson // original with the edits applied
	authored   bool            // an author has asked for its files
	written    *lessons.Lesson // the author's text as it is now; nil: none, or it has mistakes
	proof      *proving        // of the author's text; nil: there was none
	owed       []Message       // replies to commands that waited for it
	edits      []edit
	offered    []edit      // made of older originals, and not applied
	linkCode   string      // edits and offered for links; empty until asked for
	baseline   *comparison // with the lesson without the edits; nil: there are none
	comparison *comparison // with another timeline; nil: there is none

	storySteps storySteps
	runner     *runner     // nil when its nodes have failed: the next step opens them again
	follower   *redis.Node // without keys: it keeps compiled scripts for forks that follow a script; nil: none yet
	kind       ui.EngineKind
	now        timeline
	branches   []branch       // timelines left behind, the newest last
	unplayed   []KeptTimeline // branches of an earlier visit that could not be played yet
	lastBranch int            // the highest id of a branch so far

	line         int                   // among the lines of the shown step, from 1: its script's, then its clients'; 0: none
	thread       string                // picked by the learner, until the next step; empty: none
	challenge    ui.Challenge          // only At, Trying, Left, Hint and Shown
	brought      []engine.Choice       // choices that the learner has not made: of the link, of a search or of the solution
	searching    *searching            // nil: there was none
	answers      map[int]ui.Prediction // by beat
	lastGraded   int                   // the beat of the answer whose result is shown; -1: none
	notice       *ui.Notice
	lastCommand  int64   // the highest id of a command so far
	hz           float64 // of autoplay; 0 while paused
	until        int     // the step at which autoplay ends; 0: where it cannot go on
	announcement string

	screen screen
}

// NewSession makes a session without a lesson. id must be unique among the sessions that share an engine.
func (p *Playground) NewSession(id string) *Session {
	return &Session{Playground: p, id: id, lang: lessons.En, memory: p.Memory.Share(), lastGraded: -1}
}

// Close ends the session: it frees its nodes and removes their keys.
func (s *Session) Close() error {
	s.memory.Set(0, false)
	s.endComparison()
	return s.closeRunner()
}

// ReleaseNodes frees the nodes, and all that runs on them. The next command gets them again by a replay.
func (s *Session) ReleaseNodes() error {
	defer s.updateMemory()
	s.baseline, s.follower = nil, nil
	s.endComparison()
	return s.closeRunner()
}

func (s *Session) closeRunner() error {
	if s.runner == nil {
		return nil
	}
	release := s.runner.release
	s.runner = nil
	return release()
}

// Handle carries out one command and returns the messages to send. It never fails: the reply has the
// error of a command.
func (s *Session) Handle(ctx context.Context, data []byte) []Message {
	defer s.updateMemory()
	c, err := readCommand(data)
	answer := replyTo(c.ID, err)
	s.lastCommand = max(s.lastCommand, c.ID)
	switch {
	case err != nil:
	case s.lesson == nil && slices.Contains([]Op{OpSources, OpExport, OpCheck}, c.Op):
		answer = replyTo(c.ID, s.refuse(CodeNoLesson, fact.Of("nothing-loaded")))
	case c.Op == OpSources:
		answer = s.sources(c.ID)
	case c.Op == OpExport:
		answer = s.export(c)
	case slices.Contains([]Op{OpAuthor, OpProve, OpFill, OpSave}, c.Op):
		if s.Author == nil {
			answer = replyTo(c.ID, s.refuse(CodeNoAuthor, fact.Of("no-author")))
		} else {
			answer = s.Author.command(s, ctx, c)
		}
	default:
		err = s.do(ctx, c)
		answer = replyTo(c.ID, err)
	}
	out := append(s.flush(ctx), s.owed...)
	s.owed = nil
	if answer.Reply != nil && (c.ID != 0 || !answer.OK) {
		out = append(out, answer)
	}
	return out
}

// MayTakeLong tells whether a command may run code of a learner or an author, which may take far longer
// than a lesson's. No data: the question is about Advance and Refresh, and so about the slices of a search.
func (s *Session) MayTakeLong(data []byte) bool {
	if data == nil && s.Searches() {
		return true
	}
	if len(s.edits) > 0 || s.isDraft() || s.proof.runs() || slices.ContainsFunc(s.branches, func(b branch) bool { return len(b.edits) > 0 }) {
		return true
	}
	c, _ := readCommand(data)
	kept := slices.ContainsFunc(c.Branches, func(k KeptTimeline) bool { return k.Edits != "" })
	return c.Op == OpEdit || c.Op == OpAuthor || c.Op == OpProve || c.Op == OpFill || c.Edits+c.BesideEdits != "" || kept || len(c.Files) > 0
}

// UsesServer tells whether a command may wait for a real server. No data: as for MayTakeLong.
func (s *Session) UsesServer(data []byte) bool {
	c, _ := readCommand(data)
	real := func(k ui.EngineKind) bool { return k.Real() != "" }
	return real(s.kind) || real(c.Engine) || real(c.Kind) || real(ui.EngineKind(c.Beside)) || s.comparison != nil && real(s.comparison.kind)
}

// Lang is the language that the session speaks.
func (s *Session) Lang() lessons.Lang { return s.lang }

// Hz is the rate at which Advance is to be called, per second; 0: neither autoplay nor a search runs.
func (s *Session) Hz() float64 {
	if s.Searches() {
		return searchHz
	}
	return s.hz
}

// Searches tells whether a search or a proof is under way.
func (s *Session) Searches() bool { return s.searching.running() || s.proof.runs() }

// Advance makes one step of autoplay, or runs one slice of a search or a proof, and returns the messages to send.
func (s *Session) Advance(ctx context.Context) []Message {
	if s.Searches() {
		defer s.updateMemory()
		if !s.enter() {
			return nil
		}
		if s.proof.runs() {
			s.Author.proveOn(s, ctx)
		} else {
			s.continueSearch(ctx)
		}
		out := append(s.flush(ctx), s.owed...)
		s.owed = nil
		return out
	}
	if s.hz == 0 {
		return nil
	}
	defer s.updateMemory()
	s.screen.dirty = true
	s.lastGraded, s.thread = -1, ""
	if err := s.forward(ctx); err != nil || s.rests() {
		s.hz, s.until = 0, 0
	}
	return s.flush(ctx)
}

func (s *Session) do(ctx context.Context, c Command) *Error {
	switch c.Op { //nolint:exhaustive // the others work on a loaded lesson
	case OpAck:
		return s.screen.ack(c.Rev)
	case OpCheck:
		return s.check(c)
	case OpLoad:
		return s.load(ctx, c.Place)
	}
	act, known := operations[c.Op]
	if !known && c.Op != OpLook {
		return s.refuse(CodeBadMessage, fact.Of("no-command", clip(string(c.Op))))
	}
	if s.lesson == nil {
		return s.refuse(CodeNoLesson, fact.Of("nothing-loaded"))
	}
	s.screen.dirty = true
	if c.Op == OpLook {
		s.screen.told = c.Told
		return nil
	}
	s.hz = 0 // whoever acts wants to look
	if c.Op != OpPlay {
		s.until = 0
	}
	if !s.onlyLooks(c) {
		s.callOff()
	}
	if c.Op == OpLine || c.Op == OpThread {
		return act(s, ctx, c)
	}
	s.notice = nil
	s.lastGraded = -1
	pos, line, thread := s.now.pos, s.line, s.thread
	s.line, s.thread = 0, ""
	err := act(s, ctx, c)
	s.dropWithin(&s.now)
	if err != nil && s.now.pos == pos { // the learner stands where they stood
		s.thread = thread
		s.line = min(line, s.lineCount())
	}
	return err
}

// operations are the commands that work on a loaded lesson.
var operations = map[Op]func(*Session, context.Context, Command) *Error{
	OpStep:          (*Session).step,
	OpLine:          (*Session).moveLine,
	OpThread:        (*Session).pickThread,
	OpChoose:        (*Session).choose,
	OpSeek:          (*Session).seek,
	OpPlay:          (*Session).play,
	OpPause:         func(*Session, context.Context, Command) *Error { return nil },
	OpEngine:        (*Session).switchEngine,
	OpReset:         (*Session).reset,
	OpStory:         (*Session).backToStory,
	OpFork:          (*Session).forkHere,
	OpGhost:         (*Session).swapBranch,
	OpBeside:        (*Session).compare,
	OpDrop:          (*Session).dropBranches,
	OpAnswer:        (*Session).answer,
	OpHint:          (*Session).hint,
	OpSolve:         (*Session).solve,
	OpTry:           (*Session).tryChallenge,
	OpNextChallenge: (*Session).nextChallenge,
	OpSearch:        (*Session).search,

	OpEdit:    (*Session).edit,
	OpUnedit:  (*Session).unedit,
	OpDiscard: (*Session).discard,
}

// View is the session for the page. A lesson must be loaded.
func (s *Session) View() ui.View {
	v := ui.View{
		Lang:       s.lang,
		Catalog:    s.edition.Lessons,
		Mistakes:   s.mistakes(),
		Lesson:     s.lesson,
		Engine:     s.kind,
		Trace:      &s.now.trace,
		Pos:        s.now.pos,
		Thread:     s.thread,
		Schedule:   s.schedule(),
		Cache:      &s.now.cache,
		Followed:   s.insideShown(),
		Story:      s.storyView(),
		Prediction: s.predictionView(),
		Playing:    s.hz > 0,
		Notice:     s.notice,
		Edits:      s.editsView(),
	}
	if s.Author != nil {
		v.Author = s.Author.view(s)
	}
	if script, _ := ui.LinesOf(s.shownStep()); s.line > script {
		v.ClientLine = s.line - script
	} else {
		v.Line = s.line
	}
	for _, e := range s.Engines {
		v.Engines = append(v.Engines, e.State(s.lang))
	}
	v.Challenge = s.challengeView(v.Story)
	v.Branches, v.Search = s.branchViews(), s.searchView()
	v.Comparable, v.Compared = s.comparableEngines(), s.comparedView()
	return v
}

// pickThread shows the code of a thread or a task.
func (s *Session) pickThread(_ context.Context, c Command) *Error {
	v := s.View()
	if _, there := v.Snapshot().Actor(c.Actor); !there {
		return s.refuse(CodeBadMessage, fact.Of("no-thread", clip(c.Actor)))
	}
	s.thread = c.Actor
	return nil
}

func (s *Session) schedule() engine.Schedule {
	return engine.Schedule{Lesson: s.lesson.Hash, Choices: s.now.choices}
}

func (s *Session) engineOf(kind ui.EngineKind) (Engine, bool) {
	i := slices.IndexFunc(s.Engines, func(e Engine) bool { return e.State(s.lang).Kind == kind })
	if i < 0 {
		return nil, false
	}
	return s.Engines[i], true
}
