package luaprobe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writer puts the probed text together.
type writer struct {
	*insertions
	out  strings.Builder
	last byte
}

func (w *writer) write(writes map[string]Keys) string {
	gap := 0
	if strings.HasPrefix(w.source, "#!") { // the server reads it before Lua does
		gap = strings.IndexByte(w.source, '\n') + 1
		w.put(w.source[:gap])
	}
	w.put("local " + w.prefix + strings.Join(entries, ","+w.prefix) + ";local function " + w.prefix + "body() ")
	for i, t := range w.Tokens {
		w.put(w.source[gap:t.Start])
		gap = int(t.End)
		w.put(w.before[i])
		text, replaced := w.instead[i]
		if !replaced {
			text = w.Text(i)
		}
		w.put(text)
		w.put(w.after[i])
	}
	w.probe.bodyEnd = int(w.Tokens[len(w.Tokens)-1].Line)
	w.put("\nend\n" + runtimeHeader(writes) + "\n")
	text := strings.ReplaceAll(runtime, prefix, w.prefix)
	before, _, _ := strings.Cut(text, "xpcall("+w.prefix+"body")
	w.probe.runLine = w.probe.bodyEnd + 3 + strings.Count(before, "\n")
	w.put(text)
	return w.out.String()
}

// put appends a text, separated from a word before it.
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

func isWord(c byte) bool { return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// runtimeHeader defines the constants that the probe's code needs, on one line.
func runtimeHeader(writes map[string]Keys) string {
	var rows []string
	for _, name := range slices.Sorted(maps.Keys(writes)) {
		k := writes[name]
		rows = append(rows, fmt.Sprintf("[%q]={%d,%d,%d}", name, k.First, k.Last, max(k.Step, 1)))
	}
	return fmt.Sprintf("local HEAD,TAIL,PASSES,WRITES=%d,%d,%d,{%s}", firstKept, lastKept, keptPasses, strings.Join(rows, ","))
}
