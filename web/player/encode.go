package player

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Encode is a message as it goes to the client. A frame is mostly HTML, which
// encoding/json takes nearly twice as long to quote, so that is done here.
func (m Message) Encode() []byte {
	m.V = Version
	if m.Frame == nil {
		return encode(m)
	}
	frame, frags := *m.Frame, m.Frags
	frame.Frags = nil
	m.Frame = &frame
	head := bytes.TrimSuffix(encode(m), []byte("null}\n"))
	size := len(head) + len("]}")
	for _, f := range frags {
		size += len(f.ID) + len(f.HTML) + strings.Count(f.HTML, `"`) + 32
	}
	b := append(make([]byte, 0, size), head...)
	b = append(b, '[')
	for i, f := range frags {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = appendQuoted(b, f.ID)
		b = append(b, `,"html":`...)
		b = appendQuoted(b, f.HTML)
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

func encode(m Message) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		panic("player: a message cannot be encoded: " + err.Error())
	}
	return b.Bytes()
}

// appendQuoted adds text as a JSON string. Bytes that are no UTF-8 are replaced,
// since a browser ends a connection that carries them.
func appendQuoted(b []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	b = append(b, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = fmt.Appendf(b, `\u%04x`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
