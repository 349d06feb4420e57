package ui

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// The smallest parts occur dozens of times in every frame, and templ is slower at them.
// Only for that reason they are written by hand.

// markup is HTML that is complete and escaped.
type markup string

// Render writes it.
func (m markup) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(m))
	return err
}

// ico draws one of the page's symbols, hidden from screen readers.
func ico(name string) templ.Component {
	return markup(`<svg class="ico" aria-hidden="true"><use href="#` + name + `"/></svg>`)
}

// maxCode limits how much of one value is shown; its title has all of it.
const maxCode = 160

const maxTitle = 2000

func code(class, text string) templ.Component {
	open := "<code"
	if class != "" {
		open += ` class="` + html.EscapeString(class) + `"`
	}
	short := clip(text, maxCode)
	if short != text {
		open += ` title="` + html.EscapeString(clip(text, maxTitle)) + `"`
	}
	return markup(open + ">" + html.EscapeString(short) + "</code>")
}

// marks are the symbols of the strip.
func marks(ticks []tickMark) string {
	var b strings.Builder
	for _, t := range ticks {
		b.WriteString(`<use href="#` + t.Icon + `" x="` + t.X + `" y="8" width="10" height="10"/>`)
	}
	return b.String()
}

// with adds a class if a condition holds.
func with(class string, on bool, more string) string {
	if on {
		return class + " " + more
	}
	return class
}

// argText and argNumber make data attributes, which the client sends unchanged.
func argText(name, value string) string {
	text, _ := json.Marshal(map[string]string{name: value}) // of texts it cannot fail
	return string(text)
}

func argNumber(name string, value int) string { return `{"` + name + `":` + strconv.Itoa(value) + "}" }
