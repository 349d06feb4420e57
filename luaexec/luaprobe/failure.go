package luaprobe

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// chunk is the chunk name that Redis gives every script.
const chunk = "user_script"

// failure is the text of the error that the plain script ends with. What the
// handler in probe.lua saw is the text of the error and up to four places on the
// stack, from where it was raised outwards; functions of C have no place.
//
// Redis names the function that raised the error or, if that is one of C, the one
// that called it. Both may be the probe's own here.
func (p *Probe) failure(last int, seen []reply.Reply) string {
	text := seen[0].Str
	if seen[0].Kind == reply.Nil {
		// Redis 7.0 crashes when the plain script raises this error.
		text = "ERR the script raised a table without an err field"
	}
	places := make([]stackPlace, 4)
	for i := range places {
		if i+2 < len(seen) {
			places[i] = parsePlace(seen[i+2].Str)
		}
	}
	ran := stackPlace{chunk, 1} // the last reported place
	switch site := int(seen[1].Int); {
	case site > 0 && site <= len(p.sites):
		ran.line = p.sites[site-1]
	case last > 0 && last <= len(p.lines):
		ran.line = p.lines[last-1]
	}
	at, text := p.position(places, last, ran, text)
	return reply.OneLine(fmt.Sprintf("%s script: %s, on %s.", text, engine.SHA1(p.Source), at))
}

// stackPlace is a line of a chunk; the zero value is a function of C, or none.
type stackPlace struct {
	chunk string
	line  int
}

func parsePlace(text string) stackPlace {
	text = strings.TrimSuffix(text, ": ")
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return stackPlace{}
	}
	line, err := strconv.Atoi(text[i+1:])
	if err != nil {
		return stackPlace{}
	}
	return stackPlace{text[:i], line}
}

func (f stackPlace) String() string {
	if source, ok := strings.CutPrefix(f.chunk, `[string "`); ok {
		return fmt.Sprintf("%s:%d", strings.TrimSuffix(source, `"]`), f.line)
	}
	return fmt.Sprintf("@%s:%d", f.chunk, f.line)
}

const inC = "=[C]:-1"

// position is the place that Redis would name, and the text without what only the
// probe put there.
func (p *Probe) position(places []stackPlace, last int, ran stackPlace, text string) (at, plain string) {
	runner := stackPlace{chunk, p.runLine}
	plain = strings.Replace(text, fmt.Sprintf("ERR %s:%d: ", chunk, p.runLine), "ERR ", 1)
	switch {
	case innermost(places) == runner, innermost(places) == stackPlace{}: // the stack had been unwound
		return ran.String(), plain
	case p.isProbe(places[0]):
		// The call of a probe overflowed the stack.
		for _, f := range places[1:] {
			if f != (stackPlace{}) && !p.isProbe(f) {
				own := fmt.Sprintf("%s:%d: ", places[0].chunk, places[0].line)
				return f.String(), strings.Replace(text, own, fmt.Sprintf("%s:%d: ", f.chunk, f.line), 1)
			}
		}
		return ran.String(), plain
	case places[0] != stackPlace{}:
		return raisedAt(places[0], text).String(), plain
	case places[1] == stackPlace{}:
		return inC, plain
	case !p.isProbe(places[1]) && attempt.MatchString(text):
		return raisedAt(places[1], text).String(), plain
	case !p.isProbe(places[1]):
		return places[1].String(), plain
	case places[2] != stackPlace{} && places[2] != runner:
		return places[2].String(), plain
	}
	// The probe's redis.call was the end of a return, and has taken the place of
	// the function that called it on the stack; or it was called from C.
	if last > 0 && last <= len(p.tails) && p.tails[last-1] > 0 {
		return stackPlace{chunk, p.tails[last-1]}.String(), plain
	}
	return inC, plain
}

// raisedAt is the place of an error that the interpreter itself raised in a
// function of the script: its text names the line too, and does so exactly where
// a statement spans lines, which the stack of the embedded engine does not.
func raisedAt(top stackPlace, text string) stackPlace {
	if named := placeIn.FindStringSubmatch(text); named != nil {
		if f := parsePlace(named[1]); f.chunk == top.chunk {
			return f
		}
	}
	return top
}

// innermost is the first place that is not a function of C.
func innermost(places []stackPlace) stackPlace {
	for _, f := range places {
		if f != (stackPlace{}) {
			return f
		}
	}
	return stackPlace{}
}

func (p *Probe) isProbe(f stackPlace) bool { return f.chunk == chunk && f.line > p.bodyEnd }

// attempt matches the interpreter's own errors. The embedded engine raises some of them in
// functions that implement operators.
var attempt = regexp.MustCompile(`^ERR [^ ]*:\d+: attempt to `)

// placeIn finds the place at the beginning of an error's text.
var placeIn = regexp.MustCompile(`^ERR (user_script:\d+|\[string ".*"\]:\d+): `)
