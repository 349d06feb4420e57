package lessons

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// failure is a program that broke off, or its task.
type failure struct {
	actor string
	text  string
	at    *engine.Position
	step  *engine.Step // nil: before its first request
}

// start looks for programs that fail before their first request.
func (r *Report) start() {
	for _, a := range r.Trace.Start.Actors {
		if a.Failure.Code != "" {
			r.failed("", failure{actor: a.Name, text: a.Failure.Error(), at: a.Position})
		}
	}
}

// failures looks for the first program that broke off although the beat does not say so.
func (r *Report) failures(b *Beat, number int, steps []engine.Step) {
	if r.stopped {
		return
	}
	for i := range steps {
		for _, n := range steps[i].Notes {
			if n.Kind == engine.NoteFailed && !b.Expect.fails(n.Actor) {
				a, _ := steps[i].After.Actor(n.Actor)
				r.failed(fmt.Sprintf("beat %d: ", number), failure{actor: n.Actor, text: n.Text, at: a.Position, step: &steps[i]})
				return
			}
		}
	}
}

// failed records a program that broke off, once for each place. What it would have done next
// is not checked.
func (r *Report) failed(when string, f failure) {
	r.stopped = true
	p := &Problem{Severity: Error, Code: CodeUnmet}
	what, text := "the program of "+f.actor+" fails", ""
	if script, at, says := r.lesson.scriptFailure(f); script != "" {
		what, p.Place, text = fmt.Sprintf("the script %s fails, which %s runs", script, f.actor), at, says
	} else if at, says := r.lesson.clientFailure(f); says != "" {
		what, p.Place, text = fmt.Sprintf("the client %s cannot be loaded", r.lesson.Client.Name), at, says
	} else {
		p.Place, text = r.lesson.programFailure(f)
	}
	p.Message = fmt.Sprintf("%s%s: %s", when, what, text)
	switch {
	case f.step == nil:
		p.Code = CodeProgramFailed
	case !strings.HasPrefix(text, "attempt to "): // which nobody wants
		p.Advice = fmt.Sprintf("if it should, write status: {%s: failed} in the beat's expect", quoted(f.actor))
	}
	p.Source = r.lesson.line(p.Place)
	said := func(o *Problem) bool { return o.Place == p.Place }
	if !slices.ContainsFunc(r.Problems, said) {
		r.Problems = append(r.Problems, p)
	}
}

// quoted is a name as YAML takes it in { }.
func quoted(name string) string {
	if strings.Contains(name, ":") {
		return strconv.Quote(name)
	}
	return name
}

var (
	scriptLine = regexp.MustCompile(`user_script:([0-9]+)`)
	scriptTail = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:[0-9]+\.$`)
	scriptHead = regexp.MustCompile(`^ERR (user_script:[0-9]+: )?`)
	chunkHead  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]*):([0-9]+): `)
)

// scriptFailure is the script whose error a program did not catch, its line, and the message
// without them. Errors that a script returns have no line: handling them is up to the
// program.
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
	text = scriptTail.ReplaceAllString(scriptHead.ReplaceAllString(f.text, ""), "")
	return script.Name, l.lineOf(script.Place, number(line[1])), text
}

// clientFailure is where the lesson's client broke off while it was loaded, and why.
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

// programFailure is the line of a program or of the lesson's own client at which a
// program broke off, and what is said of it.
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

// caller says which line of a program called the client that a frame is of.
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

// place is the line of a program, or of a client that the lesson brings along.
func (l *Lesson) place(chunk string, line int) (Place, bool) {
	if chunk == l.Client.Chunk() && l.Client.File != "" {
		return l.lineOf(Place{File: l.Client.File, Line: 1}, line), true
	}
	for _, a := range l.Actors {
		if a.Name == chunk {
			return l.lineOf(a.Place, line), true
		}
	}
	return Place{}, false
}

// lineOf is the nth line of a piece of Lua that begins at a place.
func (l *Lesson) lineOf(first Place, n int) Place {
	at := first
	at.Line += n - 1
	if n == 1 && first.Col > 1 {
		return at // what is before it in the line is not Lua
	}
	text := []rune(l.line(at))
	at.Col, at.EndCol = 1+len(text)-len([]rune(strings.TrimLeft(string(text), " \t"))), len(text)+1
	return at
}

// line is the text of a line of one of the lesson's files.
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
