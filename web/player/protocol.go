package player

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// Version is the version of the protocol.
const Version = 1

// MaxMessage is the most bytes of a command: the texts of a lesson, half as much again for the
// escapes of JSON, and the branches.
const MaxMessage = MaxTexts + MaxTexts/2 + maxKept

// MaxTexts is the most bytes of all files of an author's lesson together.
const MaxTexts = 128 << 10

// MinHz and MaxHz bound autoplay, in steps a second.
const (
	MinHz = 0.1
	MaxHz = 20
)

// Op is what a command asks for.
type Op string

// The commands, each with the fields that it reads in brackets.
const (
	OpLoad          Op = "load"           // open a lesson at a place [lesson engine lang schedule pos edits challenge answers was branches beside besideEdits folder files told]
	OpStep          Op = "step"           // move n steps, back when n is below 0; -1 leads back to what was read before, while a story is told [n]
	OpLine          Op = "line"           // move n lines through the code that the step ran, or go to the line pos; pos 0 leaves the code [n pos]
	OpThread        Op = "thread"         // show the code of a thread, until the next step [actor]
	OpChoose        Op = "choose"         // make a choice where the learner stands [choice]
	OpSeek          Op = "seek"           // go to a place; beyond the present the story is played [pos]
	OpPlay          Op = "play"           // step on its own, up to pos if given: at once without hz, or when asked for the same pos again [hz pos]
	OpPause         Op = "pause"          // stop stepping on its own
	OpEngine        Op = "engine"         // replay on another engine [kind]
	OpReset         Op = "reset"          // start over; the old timeline becomes a branch
	OpStory         Op = "story"          // cut the timeline where it left the story; the whole one becomes a branch
	OpFork          Op = "fork"           // make the place the present; what came after becomes a branch
	OpGhost         Op = "ghost"          // swap with a timeline that was left behind; n is its id, or 0 for the newest [n]
	OpBeside        Op = "beside"         // show beside this timeline the branch with the id n, or the same choices on another engine; neither field ends it [kind n]
	OpDrop          Op = "drop"           // forget the timelines that were left behind
	OpAnswer        Op = "answer"         // predict the answer to a beat's question, and play the beat [beat text]
	OpHint          Op = "hint"           // show the challenge's hint
	OpTry           Op = "try"            // begin with the challenge from the start; what was there becomes a branch
	OpNextChallenge Op = "next-challenge" // go on to the lesson's next challenge
	OpSolve         Op = "solve"          // play the challenge's solution from the start; what was there becomes a branch
	OpSearch        Op = "search"         // look for a schedule that breaks an invariant, as the page offers; any other command ends it [text]
	OpLook          Op = "look"           // draw only what a story shows while it is told, or the lab, too [told]
	OpAck           Op = "ack"            // a frame has been drawn [rev]

	OpExport  Op = "export"  // the timeline as a file, in the reply: text or json as playground run prints it, or svg [text]
	OpSources Op = "sources" // the texts of the lesson's parts, in the reply
	OpCheck   Op = "check"   // whether a text could be a part, in the reply [part source]
	OpEdit    Op = "edit"    // give a part another text and replay; without a text, the original one; without a part, apply all edits [part source edits]
	OpUnedit  Op = "unedit"  // take back the edit of a part, or all [part]
	OpDiscard Op = "discard" // forget an edit of an older original [part]

	OpAuthor Op = "author" // play the lesson that these files make; without files, the reply has the lesson's own [folder files]
	OpProve  Op = "prove"  // search whether the claims of these files are true; any other command but author ends it. Its reply comes with the end [folder files]
	OpFill   Op = "fill"   // what searches and the story of these files show, written into their lesson.yaml, in the reply; it changes nothing. Its reply waits for a proof, which any other command but author ends [folder files]
	OpSave   Op = "save"   // write the files of the lesson, or a new lesson from the blank one; refused when they have mistakes or false claims, or when those on disk have changed since they were opened. Its reply waits for a proof [folder files of]
)

// Command is one message of a client: {"v":1,"id":7,"op":"step","n":1}.
type Command struct {
	V  int   `json:"v"`
	ID int64 `json:"id"` // repeated in the reply; 0 wants none unless it is an error
	Op Op    `json:"op"`

	Place // of load; other commands use its Pos, Edits, Folder or Files

	N      int           `json:"n,omitempty"`
	Actor  string        `json:"actor,omitempty"`
	Choice string        `json:"choice,omitempty"` // as engine.ParseChoice reads it: "run A", "tick 10s"
	Hz     float64       `json:"hz,omitempty"`
	Kind   ui.EngineKind `json:"kind,omitempty"`
	Beat   int           `json:"beat,omitempty"`
	Text   string        `json:"text,omitempty"`
	Rev    int64         `json:"rev,omitempty"`

	Part   string `json:"part,omitempty"` // as lessons.Part writes it: "script:unlock"
	Source string `json:"source,omitempty"`
	Of     string `json:"of,omitempty"` // from the reply to author: the version that was opened
}

// Place is a lesson and where in it to stand, as links have it.
type Place struct {
	Lesson    string        `json:"lesson,omitempty"`
	Engine    ui.EngineKind `json:"engine,omitempty"`    // empty: the default one
	Lang      lessons.Lang  `json:"lang,omitempty"`      // empty: as before
	Schedule  string        `json:"schedule,omitempty"`  // as engine.Schedule writes it; empty: nothing has happened
	Pos       *int          `json:"pos,omitempty"`       // nil: the end of the schedule; of line: move by n
	Edits     string        `json:"edits,omitempty"`     // as frames have them; empty: the lesson as it is
	Challenge int           `json:"challenge,omitempty"` // the challenge that the learner is at, from 1; 0 or a number without a challenge: the first, and not begun

	Answers []KeptAnswer `json:"answers,omitempty"` // as frames have them; those to other questions than the story has asked by the end of the schedule are left out

	Was string `json:"was,omitempty"` // the lesson that a link with moves was to, which this one has taken in

	Branches    []KeptTimeline `json:"branches,omitempty"`    // the newest last
	Beside      string         `json:"beside,omitempty"`      // an engine, or a schedule: the timeline to show beside this one; empty: none
	BesideEdits string         `json:"besideEdits,omitempty"` // the edits of the timeline Beside

	Told bool `json:"told,omitempty"` // the page shows a story and no lab: as OpLook has it

	Folder string         `json:"folder,omitempty"` // for an author's files: "07-fencing-token"
	Files  []lessons.File `json:"files,omitempty"`  // none: the lesson's own
}

// KeptAnswer is a prediction. Browsers keep it without its grade, for when the lesson is loaded again.
type KeptAnswer struct {
	Beat int    `json:"beat"`
	Text string `json:"text"` // empty: the learner wanted to be shown
}

// Message is one message to a client: a hello, a frame or a reply.
type Message struct {
	V  int    `json:"v"`
	Op string `json:"op"`

	*Hello
	*Frame
	*Reply
}

// Hello is the first message of a connection: {"v":1,"op":"hello","build":"…"}.
type Hello struct {
	Build string `json:"build"` // a page of another build should be loaded anew
}

// Frame is what to draw: {"v":1,"op":"frame","rev":3,"base":2,…}.
type Frame struct {
	Rev       int64         `json:"rev"`  // only grows
	Seen      int64         `json:"seen"` // the highest id of a command whose effects are in it
	Base      int64         `json:"base"` // the Rev of the frame that this one changes; 0: it is complete
	Lesson    string        `json:"lesson"`
	Pos       int           `json:"pos"`
	Len       int           `json:"len"`
	Schedule  string        `json:"schedule"`
	Engine    ui.EngineKind `json:"engine"`
	Playing   bool          `json:"playing"`
	Edits     string        `json:"edits,omitempty"`     // the learner's edits, for links and for load
	Challenge int           `json:"challenge,omitempty"` // the challenge that the learner is at, from 1, for links and for load; 0: the first, and not begun
	// Answers are what the learner has answered to the story's questions, in its order, for load.
	Answers []KeptAnswer `json:"answers,omitempty"`
	// Branches are the timelines left behind, the newest last, for load. A frame has them only when they
	// have changed since the frame before.
	Branches    []KeptTimeline `json:"branches,omitzero"`
	Beside      string         `json:"beside,omitempty"`      // the timeline shown beside this one, for links and for load: an engine, or a schedule
	BesideEdits string         `json:"besideEdits,omitempty"` // the edits of the timeline Beside
	Original    string         `json:"original,omitempty"`    // the version of the lesson's own files; empty until an author asks for them
	Say         string         `json:"say,omitempty"`         // one sentence for the live region
	Frags       []Frag         `json:"frags"`
	Rows        []Frag         `json:"rows,omitempty"` // new contents of elements with data-row, in any fragment
}

// Frag is one element of the page, to be morphed by its id. Its elements with data-row are empty, and
// the page keeps their contents.
type Frag struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// Reply answers a command: {"v":1,"op":"reply","id":7,"ok":true} or
// {"v":1,"op":"reply","id":7,"ok":false,"err":{"code":"not-enabled","msg":"…"}}.
type Reply struct {
	ID  int64  `json:"id"`
	OK  bool   `json:"ok"`
	Err *Error `json:"err,omitempty"`

	File string `json:"file,omitempty"` // of export

	Parts   []PartText `json:"parts,omitempty"`   // of sources
	NoEdits string     `json:"noEdits,omitempty"` // of sources: why the engine runs no edits, and what would change that

	Folder   string         `json:"folder,omitempty"`   // of author: the folder of the lesson's own files; of save: that of the new lesson
	Files    []lessons.File `json:"files,omitempty"`    // of author; of fill: the lesson.yaml, if anything was to be written
	Of       string         `json:"of,omitempty"`       // of author and save: as Frame.Original
	Offers   []lessons.File `json:"offers,omitempty"`   // of author: files that could be added
	Saves    bool           `json:"saves,omitempty"`    // of author: the files can be saved
	Problems []Problem      `json:"problems,omitempty"` // of author, prove and save: what is wrong with the files
	Unproven string         `json:"unproven,omitempty"` // of save: that what was saved is not proven; empty: it is
}

// Problem is a lessons.Problem as editors need it.
type Problem struct {
	File     string           `json:"file"` // a name among Files
	Line     int              `json:"line,omitempty"`
	Col      int              `json:"col,omitempty"`    // in characters, from 1
	EndCol   int              `json:"endCol,omitempty"` // after the last one on that line
	Severity lessons.Severity `json:"severity"`
	Msg      string           `json:"msg"`
	Text     string           `json:"text"`             // as playground check has it: place, line, caret and advice
	Unused   bool             `json:"unused,omitempty"` // the lesson does not use the file
}

// PartText has the texts of one part of the lesson.
type PartText struct {
	Part     string `json:"part"`
	Original string `json:"original"`
	Source   string `json:"source"`            // with the edits applied
	Offered  string `json:"offered,omitempty"` // an edit of another original, not applied
}

// Code is why a command was refused, for programs.
type Code string

// The codes.
const (
	CodeBadMessage  Code = "bad-message"  // not a command of this protocol
	CodeNoLesson    Code = "no-lesson"    // unknown lesson, or none is loaded yet
	CodeBadChoice   Code = "bad-choice"   // the text is not a choice
	CodeNotEnabled  Code = "not-enabled"  // the choice cannot happen now
	CodeNoNext      Code = "no-next"      // the story does not say what comes next
	CodeTooLong     Code = "too-long"     // the schedule has engine.MaxChoices choices, or a text more than MaxSource bytes
	CodeNoGhost     Code = "no-ghost"     // no timeline was left behind
	CodeNoQuestion  Code = "no-ask"       // the beat asks nothing here
	CodeNoChallenge Code = "no-challenge" // the lesson has none
	CodeSyntax      Code = "syntax"       // the text is not Lua; line and col say where
	CodeNoEdits     Code = "no-edits"     // the engine runs no code of a learner's
	CodeNoAuthor    Code = "no-author"    // this player reads no lessons
	CodeMistakes    Code = "mistakes"     // the files do not make a lesson; the problems say why
	CodeNotSaved    Code = "not-saved"    // the files are as they were
	CodeNoLines     Code = "no-lines"     // the step ran no code, or none whose lines can be shown
	CodeEngine      Code = "engine"       // the engine could not perform it; the page's notice says why
	CodeNoStart     Code = "no-start"     // no engine could begin the lesson, so there is nothing to show
	CodeFull        Code = "full"         // the server has no place for the session now
	CodeIdle        Code = "idle"         // the session was idle, and its place was given to somebody else
	CodeCrashed     Code = "crashed"      // a bug of the playground; the page can be loaded again
)

// Error is why a command was not carried out, or only in part: of five steps, three may have been made.
type Error struct {
	Code Code   `json:"code"`
	Msg  string `json:"msg"`            // for people, in the session's language
	Line int    `json:"line,omitempty"` // of a syntax error, from 1
	Col  int    `json:"col,omitempty"`  // in characters, from 1
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

// Fact is the message, already in the session's language.
func (e *Error) Fact() fact.Fact { return fact.Text(e.Msg) }

// readCommand reads one command. It refuses unknown fields: a misspelt one would count as absent.
func readCommand(data []byte) (Command, *Error) {
	if len(data) > MaxMessage {
		return Command{}, &Error{Code: CodeBadMessage, Msg: fmt.Sprintf("the message has %d bytes; at most %d are read", len(data), MaxMessage)}
	}
	var c Command
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Command{ID: c.ID}, &Error{Code: CodeBadMessage, Msg: "the message is not a command: " + jsonError(err)}
	}
	if d.More() {
		return Command{ID: c.ID}, &Error{Code: CodeBadMessage, Msg: "the message holds more than one command"}
	}
	if c.V != Version {
		return Command{ID: c.ID}, &Error{Code: CodeBadMessage, Msg: fmt.Sprintf("the message is of protocol version %d; this server speaks %d: load the page again", c.V, Version)}
	}
	return c, nil
}

func jsonError(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Sprintf("%s cannot be a JSON %s", wrong.Field, wrong.Value)
	}
	return err.Error()
}

// Encode is a message as JSON on one line. It is always UTF-8, because a browser ends a connection that
// carries other bytes.
func (m Message) Encode() []byte {
	m.V = Version
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic("player: a message cannot be encoded: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// NewBeat is a sign of life: a page cannot see the pings of the websocket.
func NewBeat() Message { return Message{Op: "beat"} }

// NewHello greets a page with the build of the server.
func NewHello(build string) Message { return Message{Op: "hello", Hello: &Hello{Build: build}} }

func replyTo(id int64, err *Error) Message {
	return Message{Op: "reply", Reply: &Reply{ID: id, OK: err == nil, Err: err}}
}

// NewRefusal is an error of the session itself, and answers no command.
func NewRefusal(lang lessons.Lang, code Code, why error) Message {
	return replyTo(0, refusal(lang, code, why))
}
