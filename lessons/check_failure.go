package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/yaml"
)

// failure is a program, or a task of one, that broke off.
type failure struct {
	actor string
	cause fact.Fact
	text  string // the cause, in English
	at    *engine.Position
	step  *engine.Step // nil: before its first request
}

// start reports programs that fail before their first request.
func (r *Report) start() {
	for _, a := range r.Trace.Start.Actors {
		if a.Failure.Code != "" {
			r.failed(0, failure{actor: a.Name, cause: a.Failure, text: a.Failure.Error(), at: a.Position})
		}
	}
}

// failures reports the first program of a beat that broke off although the beat does not expect it.
func (r *Report) failures(b *Beat, number int, steps []engine.Step) {
	if r.stopped {
		return
	}
	for i := range steps {
		for _, n := range steps[i].Notes {
			if n.Kind == engine.NoteFailed && !b.Expect.fails(n.Actor) {
				a, _ := steps[i].After.Actor(n.Actor)
				r.failed(number, failure{actor: n.Actor, cause: n.Failure, text: n.Text, at: a.Position, step: &steps[i]})
				return
			}
		}
	}
}

// failed reports a program that broke off, at its line and once for each. Nothing is checked from
// then on, because what is wrong later may only follow from this.
func (r *Report) failed(number int, f failure) {
	r.stopped = true
	mistake := mistaken(f.cause)
	r.Mistake = r.Mistake || mistake
	p := &Problem{Severity: Error, Code: CodeUnmet}
	var what fact.Fact
	text := ""
	if script, at, says := r.lesson.scriptFailure(f); script != "" {
		what, p.Place, text = fact.Of("lesson-script-fails", script, f.actor, says), at, says
	} else if at, says := r.lesson.clientFailure(f); says != "" {
		what, p.Place, text = fact.Of("lesson-client-fails", r.lesson.Client.Name, says), at, says
	} else {
		p.Place, text = r.lesson.programFailure(f)
		what = fact.Of("lesson-program-fails", f.actor, text)
	}
	if number > 0 {
		what = fact.Of("lesson-in-beat", number, what)
	}
	advice := r.lesson.meant(text)
	switch {
	case f.step == nil:
		p.Code = CodeProgramFailed
	case mistake:
	default:
		advice = fact.Of("lesson-expect-failed", fmt.Sprint(yaml.Mapping(f.actor, "failed")))
	}
	p.Message, p.Advice = what, advice
	p.Source = r.lesson.line(p.Place)
	said := func(o *Problem) bool { return o.Place == p.Place }
	if !slices.ContainsFunc(r.Problems, said) {
		r.Problems = append(r.Problems, p)
	}
}

var (
	scriptLine = regexp.MustCompile(`user_script:([0-9]+)`)
	scriptTail = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:[0-9]+\.$`)
	scriptHead = regexp.MustCompile(`^ERR (user_script:[0-9]+: )?`)
	chunkHead  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]*):([0-9]+): `)
)

// scriptFailure finds the script whose error ended a program: its name, the line, and the message
// without both. An error that a script returns has no line, and is the program's to handle.
func (l *Lesson) scriptFailure(f failure) (name string, at Place, text string) {
	if f.step == nil || f.step.Reply == nil || f.step.Reply.Str != f.text {
		return "", Place{}, ""
	}
	exec, ok := f.step.Request.(engine.Exec)
	line := scriptLine.FindStringSubmatch(f.text)
	if !ok || exec.Op.Script == nil || line == nil {
		return "", Place{}, ""
	}
	script, ok := l.Script(exec.Op.Script.Name)
	if !ok {
		return "", Place{}, ""
	}
	return script.Name, l.lineOf(script.Place, number(line[1])), withoutScript(f.text)
}

// clientFailure finds the line at which the lesson's client broke off while it was loaded, and why.
// The reason is empty if it did not.
func (l *Lesson) clientFailure(f failure) (Place, string) {
	text, ok := strings.CutPrefix(f.text, "client "+l.Client.Chunk()+": ")
	if !ok {
		return Place{}, ""
	}
	if m := chunkHead.FindStringSubmatch(text); m != nil {
		if at, ok := l.place(m[1], number(m[2])); ok {
			return at, text[len(m[0]):]
		}
	}
	return l.Declared["client "+l.Client.Name], text
}

// programFailure finds the line of the lesson, in a program or in its own client, at which a program
// broke off, and words the reason. Without such a line it is where the program stands.
func (l *Lesson) programFailure(f failure) (Place, string) {
	var frames []engine.Frame
	text := f.text
	if f.at != nil {
		frames = f.at.Frames
	}
	if m := chunkHead.FindStringSubmatch(f.text); m != nil {
		chunk, line := m[1], number(m[2])
		if _, ok := l.place(chunk, line); ok {
			text = f.text[len(m[0]):]
			frames = append([]engine.Frame{{Chunk: chunk, Line: line}}, frames...)
		}
	}
	for i, frame := range frames {
		if at, ok := l.place(frame.Chunk, frame.Line); ok {
			return at, text + l.caller(frame, frames[i:])
		}
	}
	return l.stands(engine.ActorState{Name: f.actor}), f.text
}

// caller names the program's line from which a client was called, for a frame in the client.
func (l *Lesson) caller(of engine.Frame, around []engine.Frame) string {
	for _, frame := range around {
		if at, ok := l.place(frame.Chunk, frame.Line); ok && frame.Chunk != of.Chunk {
			return fmt.Sprintf("; it was called at %s", at)
		}
	}
	return ""
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // of a pattern
	return n
}

// place finds a line of a chunk in the lesson's files. It is false for Lua that the lesson did not
// bring along.
func (l *Lesson) place(chunk string, line int) (Place, bool) {
	if chunk == l.Client.Chunk() && l.Client.File != "" {
		return l.lineOf(Place{File: l.Client.File, Line: 1}, line), true
	}
	if a, ok := find(l.Actors, func(a Actor) bool { return a.Name == chunk }); ok {
		return l.lineOf(a.Place, line), true
	}
	return Place{}, false
}

// lineOf is the nth line, from 1, of a piece of Lua that begins at a place.
func (l *Lesson) lineOf(first Place, n int) Place {
	at := first
	if n == 1 && first.Col > 1 || l.inQuotes(first) {
		return at // what is before it in the line is not Lua
	}
	at.Line += n - 1
	text := []rune(l.line(at))
	at.Col, at.EndCol = 1+len(text)-len([]rune(strings.TrimLeft(string(text), " \t"))), len(text)+1
	return at
}

// inQuotes tells whether all lines of a piece of Lua are in one line of the file, with \n between them.
func (l *Lesson) inQuotes(p Place) bool {
	line := []rune(l.line(p))
	return p.Col > 0 && p.EndCol > p.Col+1 && p.EndCol <= len(line)+1 && line[p.Col-1] == '"' && line[p.EndCol-2] == '"'
}

// line is the text of a line in one of the lesson's files; empty: there is no such line.
func (l *Lesson) line(at Place) string {
	text := ""
	switch at.File {
	case l.File:
		text = l.YAML
	case l.Client.File:
		text = l.Client.Source
	default:
		for _, s := range l.Scripts {
			if s.File == at.File {
				text = s.Source
			}
		}
	}
	lines := strings.Split(text, "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimSuffix(lines[at.Line-1], "\r")
}
