package luaprobe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writer puts the probed text together.
type writer struct {
	*parser
	probe  *Probe
	prefix string
	out    strings.Builder
	last   byte
}

func (w *writer) write(options Options) string {
	at := map[int][3][]insertion{}
	for _, i := range w.insertions {
		places := at[i.token]
		places[i.place] = append(places[i.place], i)
		at[i.token] = places
	}
	gap := 0
	if strings.HasPrefix(w.source, "#!") { // the server reads it before Lua does
		gap = strings.IndexByte(w.source, '\n') + 1
		w.put(w.source[:gap])
	}
	w.put("local " + w.prefix + strings.Join(entries, ","+w.prefix) + ";local function " + w.prefix + "body() ")
	for i, t := range w.tokens {
		w.put(w.source[gap:t.start])
		gap = t.end
		for _, in := range at[i][before] {
			w.insertion(in)
		}
		replaced := false
		for _, in := range at[i][instead] {
			replaced = w.insertion(in) || replaced
		}
		if !replaced {
			w.put(t.text)
		}
		for _, in := range at[i][after] {
			w.insertion(in)
		}
	}
	w.probe.bodyEnd = 1 + lineBreaks(w.source)
	w.put("\nend\n" + runtimeHeader(options) + "\n")
	text := strings.ReplaceAll(runtime, prefix, w.prefix)
	before, _, _ := strings.Cut(text, "xpcall("+w.prefix+"body")
	w.probe.runLine = w.probe.bodyEnd + 3 + strings.Count(before, "\n")
	w.put(text)
	return w.out.String()
}

// put appends a text, apart from the word before it.
func (w *writer) put(text string) {
	if text == "" {
		return
	}
	if isWord(w.last) && isWord(text[0]) {
		w.out.WriteByte(' ')
	}
	w.out.WriteString(text)
	w.last = text[len(text)-1]
}

func isWord(c byte) bool { return isLetter(c) || isDigit(c) }

// insertion writes one and tells whether it did.
func (w *writer) insertion(in insertion) bool {
	if in.what != noValues && !in.fn.hasRoom() {
		return false
	}
	switch in.what {
	case reportLine, openCondition:
		w.report(in)
	case closeCondition, closeParen:
		w.put(")")
	case openParen:
		w.put("(")
	case enterLoop:
		w.put(fmt.Sprintf("%sloop(%d);", w.prefix, in.index+1))
	case beginPass:
		w.put(fmt.Sprintf("%spass(%d);", w.prefix, in.index+1))
	case leaveLoop:
		w.put(fmt.Sprintf("%sleave(%d)", w.prefix, in.index+1))
	case leaveByReturn:
		w.put(fmt.Sprintf("%sleave(%d);", w.prefix, in.index+1))
	case siteNumber:
		w.put(fmt.Sprint(in.index + 1))
		if !w.tokens[in.token+1].is(")") {
			w.put(",")
		}
	case callHere:
		w.put(w.prefix + "callat")
	case pcallHere:
		w.put(w.prefix + "pcallat")
	case callValue:
		w.put(w.prefix + "call")
	case pcallValue:
		w.put(w.prefix + "pcall")
	case redisValue:
		w.put(w.prefix + "redis")
	case noValues:
		w.put(w.prefix + "none()")
	case nothing:
	}
	return true
}

// report writes the call that reports a line.
func (w *writer) report(in insertion) {
	s := w.probe.Statements[in.index]
	if s.Probed {
		parts := append([]string{fmt.Sprint(in.index + 1)}, s.Locals...)
		w.put(w.prefix + "line(" + strings.Join(parts, ",") + ")")
	}
	switch {
	case in.what == openCondition && s.Probed:
		w.put(" or(")
	case in.what == openCondition:
		w.put("(")
	case s.Probed:
		w.put(";")
	}
}

// runtimeHeader sets what the probe's code leaves open, in one line.
func runtimeHeader(options Options) string {
	writes := "false"
	if len(options.Writes) > 0 {
		var rows []string
		for _, name := range slices.Sorted(maps.Keys(options.Writes)) {
			k := options.Writes[name]
			rows = append(rows, fmt.Sprintf("[%s]={%d,%d,%d}", quote(name), k.First, k.Last, max(k.Step, 1)))
		}
		writes = "{" + strings.Join(rows, ",") + "}"
	}
	return fmt.Sprintf("local HEAD,TAIL,PASSES,WRITES=%d,%d,%d,%s", firstKept, lastKept, KeptPasses, writes)
}

// quote writes a string of Lua.
func quote(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(text) {
		fmt.Fprintf(&out, "\\%03d", text[i])
	}
	out.WriteByte('"')
	return out.String()
}

// lineBreaks counts those of a source, as Lua counts them.
func lineBreaks(source string) int {
	s := &scanner{source: source}
	for s.more() {
		if c := s.peek(0); c == '\n' || c == '\r' {
			s.newline()
		} else {
			s.at++
		}
	}
	return s.line
}
