package recording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/node/redis/portable"
)

// program is one actor's part of the recording, as Lua.
type program struct {
	w     *writer
	name  string
	lines []string
	bytes int
	at    time.Duration // the time after its last line
	wakes time.Duration // the end of its last sleep
	beat  *beat         // the last one that moved it; nil: the start of the lesson

	paused  int      // the number of the line with the pause's sleep; 0: not paused
	pauses  *beat    // the beat of the pause
	multi   []string // queued since MULTI
	inMulti bool
}

// until lets the actor sleep until an instant, or work if it is inside a section.
func (p *program) until(at time.Duration) {
	at = at.Truncate(time.Millisecond)
	if at <= p.at {
		return
	}
	verb := "sleep"
	if p.isInside() {
		verb = "work"
	}
	p.add(fmt.Sprintf("%s(%q)", verb, (at - p.at).String()))
	p.at, p.wakes = at, at
	if p.w.before < at && at <= p.w.now {
		p.beat = p.w.tick
	}
}

func (p *program) isInside() bool {
	for _, in := range p.w.inside {
		if slices.Contains(in, p) {
			return true
		}
	}
	return false
}

// stay keeps the actor in its sections beyond the end of the recording: a program that ends leaves them.
func (p *program) stay() {
	if p.isInside() {
		p.add(`work("1h")`)
	}
}

func (p *program) add(line string) {
	p.lines = append(p.lines, line)
	p.bytes += len(line) + len("\n    ")
}

// moved notes the beat that moves the program, and its time.
func (p *program) moved(at time.Duration, b *beat) {
	p.at, p.beat = at.Truncate(time.Millisecond), b
}

// request adds the commands of one request. Those beyond the size of a program are left out and counted.
func (p *program) request(e *Event) {
	say, beats := words{}, len(p.w.beats)
	if e.Lost {
		say = sayLost
	}
	for _, c := range e.Commands {
		line, sends := p.statement(e, c)
		if p.bytes+len(line) > mostLua-1024 {
			line, sends = "", false
			p.w.leftOut++
		}
		if line == "" {
			continue
		}
		if !sends {
			p.add(line)
			continue
		}
		p.until(e.Sent)
		p.add(line)
		b := p.w.move(e.At, "run "+p.name)
		b.say, say = say, words{}
		p.w.several = p.w.several || p.w.request != nil && slices.Contains(p.w.beats[beats:], p.w.request)
		p.w.request = b
		p.moved(e.At, b)
	}
}

// connection are commands about the connection alone, which no lesson has.
var connection = []string{"HELLO", "CLIENT", "AUTH", "SELECT", "PING", "ECHO", "COMMAND", "QUIT", "RESET", "DISCARD", "INFO"}

// statement is a command in Lua; empty: it has none of its own. sends: the line is a move of the story.
func (p *program) statement(e *Event, c []string) (line string, sends bool) {
	name := strings.ToUpper(c[0])
	switch {
	case slices.Contains(connection, name):
		if name == "DISCARD" {
			p.multi, p.inMulti = nil, false
		}
		return "", false
	case name == "SCRIPT" && len(c) == 3 && strings.EqualFold(c[1], "LOAD"):
		p.w.script(c[2])
		return "", false
	case name == "MULTI":
		p.multi, p.inMulti = nil, true
		return "", false
	case name == "EXEC":
		line = fmt.Sprintf("(function(tx) %s end)", strings.Join(p.multi, " "))
		p.multi, p.inMulti = nil, false
		return p.send(e, "multi", line), true
	case name == "WATCH", name == "UNWATCH":
		return p.server(e) + "." + strings.ToLower(name) + arguments(c[1:]), true
	case name == "SUBSCRIBE" && len(c) > 1, name == "UNSUBSCRIBE" && len(c) > 1:
		return p.listen(e, strings.ToLower(name), c[1:]), true
	}
	function, args, why := p.call(c)
	switch {
	case why != "":
		p.w.leftOut++
		return fmt.Sprintf("-- left out: %s, since %s", comment(c), why), false
	case function == "":
		return "", false // the server did not know the script: the client sends it again
	case p.inMulti:
		p.multi = append(p.multi, "tx."+function+args)
		return "", false
	}
	return p.send(e, function, args), true
}

// send is a request in Lua. One that failed in the recording is protected, or its error would end the program.
func (p *program) send(e *Event, function, args string) string {
	if e.Failed {
		return fmt.Sprintf("pcall(%s.%s, %s", p.server(e), function, strings.TrimPrefix(args, "("))
	}
	return p.server(e) + "." + function + args
}

// listen adds a statement for each channel but the last, and returns that one's: a lesson's client listens
// to one channel at a time.
func (p *program) listen(e *Event, verb string, channels []string) string {
	for _, channel := range channels[:len(channels)-1] {
		p.until(e.Sent)
		p.add(fmt.Sprintf("%s.%s(%s)", p.server(e), verb, quoted(channel)))
		p.moved(e.At, p.w.move(e.At, "run "+p.name))
	}
	return fmt.Sprintf("%s.%s(%s)", p.server(e), verb, quoted(channels[len(channels)-1]))
}

// server is the Lua object for requests to an event's server.
func (p *program) server(e *Event) string {
	if e.Server == "" || e.Server == p.w.Servers[0] {
		return "redis"
	}
	return fmt.Sprintf("node(%q)", p.w.names[e.Server])
}

// call is a command as a function with its arguments, or why a lesson cannot send it. All are empty for a
// script whose source was never seen.
func (p *program) call(c []string) (function, args, why string) {
	name := strings.ToUpper(c[0])
	if portable.IsOfClock(strings.ToLower(name)) {
		return "", "", name + ": a lesson has a time of day of its own"
	}
	if name != "EVAL" && name != "EVALSHA" || len(c) < 3 {
		if r, refused := portable.Refuse(engine.Op{Args: c}, portable.Empty{}); refused {
			return "", "", strings.TrimPrefix(r.Str, portable.Code+" ")
		}
		return "call", arguments(c), ""
	}
	n, err := strconv.Atoi(c[2])
	if err != nil || n < 0 || n > len(c)-3 {
		return "call", arguments(c), ""
	}
	script := p.w.sources[strings.ToLower(c[1])]
	if name == "EVAL" {
		script = p.w.script(c[1])
	}
	switch {
	case script == "" && name == "EVALSHA":
		return "", "", ""
	case script == "":
		return "", "", "its script is too long, is no text, or there are too many"
	}
	keys, values := table(c[3:3+n]), table(c[3+n:])
	return "eval", fmt.Sprintf("(%q, %s, %s)", script, keys, values), ""
}

// script adds a script to the lesson, once, and returns its name; empty: the lesson cannot have it.
func (w *writer) script(source string) string {
	sha := engine.SHA1(source)
	if w.sources[sha] == "" && len(w.scripts) < mostScripts && len(source) <= mostLua && strings.TrimSpace(source) != "" && utf8.ValidString(source) {
		w.sources[sha] = w.scriptName(sha)
		w.scripts = append(w.scripts, File{w.sources[sha] + ".lua", source})
	}
	return w.sources[sha]
}

// pause stops the actor before it acts on its last reply: it falls asleep for a moment, and does not wake
// while paused.
func (p *program) pause(e *Event) {
	p.add(`sleep("1ms")`)
	p.paused = len(p.lines)
	p.w.allow("pause " + p.name)
	p.pauses = p.w.move(e.At, "pause "+p.name)
	if e.Unseen {
		p.pauses.say = sayUnseen
	}
	p.at = e.At.Truncate(time.Millisecond)
}

// resume ends a pause. A pause that took no time is removed from the lesson.
func (p *program) resume(e *Event) {
	if p.paused == 0 {
		return
	}
	if at := e.At.Truncate(time.Millisecond); at > p.at {
		p.moved(e.At, p.w.move(e.At, "resume "+p.name))
	} else {
		p.lines = slices.Delete(p.lines, p.paused-1, p.paused)
		p.w.beats = slices.DeleteFunc(p.w.beats, func(b *beat) bool { return b == p.pauses })
	}
	p.paused = 0
}

// scriptName is a name for one more script.
func (w *writer) scriptName(sha string) string {
	name := w.Scripts[sha]
	taken := slices.ContainsFunc(w.scripts, func(f File) bool { return f.Name == name+".lua" })
	switch number := len(w.scripts) + 1; {
	case name == "":
		return fmt.Sprintf("script-%d", number)
	case taken:
		return fmt.Sprintf("%s-%d", name, number)
	}
	return name
}

func arguments(args []string) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = quoted(a)
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func table(args []string) string {
	list := arguments(args)
	return "{" + list[1:len(list)-1] + "}"
}

// comment is a command as one short line of printable text.
func comment(c []string) string {
	const most = 60
	text := strings.Join(strings.Fields(strings.ToValidUTF8(strings.Join(c, " "), "?")), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}

// quoted is a Lua string with exactly the text's bytes, whatever they are.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range text {
		switch {
		case r == '"', r == '\\':
			b.WriteString(`\` + string(r))
		case r == utf8.RuneError, !unicode.IsPrint(r):
			_, size := utf8.DecodeRuneInString(text[i:])
			for _, c := range []byte(text[i : i+size]) {
				fmt.Fprintf(&b, `\%03d`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
