package luaprobe

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lockstep/luaexec/syntax"
)

// Datum is a value, tables down to some depth. A report encodes it as one of
//
//	s<text>;                      a string
//	c<length>:<its first bytes>;  a string that was cut
//	n<text>;                      a number
//	y, x, z                       true, false, nil
//	o<type>;                      a function, a thread or userdata
//	t                             a table that is not looked into
//	a<array>,<shown>,<others>,<cut>,<parts>:
//
// The last is a table: how long its array is and how much of it is shown, how
// many other keys it has, whether there is more that was not counted, and how many
// parts follow: the shown elements, then keys and values in turn. In texts \ stands
// before ; and \. No length tells where a text ends, because a node may put names as
// the lesson knows them in place of those that its server has.
type Datum struct {
	Kind    byte
	Text    string // of a string as far as it is shown, of a number, and of an OtherDatum
	Length  int    // of a string, in bytes
	Array   int    // how long the array of a table is
	Items   []Datum
	Others  int // how many keys a table has besides its array
	Pairs   [][2]Datum
	Endless bool // there are more keys than were counted
}

// The kinds of Datum.
const (
	StringDatum = 's'
	NumberDatum = 'n'
	TrueDatum   = 'y'
	FalseDatum  = 'x'
	NilDatum    = 'z'
	OtherDatum  = 'o' // a function, a thread or userdata
	ClosedDatum = 't' // a table that is not looked into
	TableDatum  = 'a'
)

func decodeDatum(code string) (Datum, error) {
	d, rest, err := nextDatum(code)
	if err == nil && rest != "" {
		err = fmt.Errorf("a value of the report goes on with %.40q", rest)
	}
	return d, err
}

func nextDatum(code string) (d Datum, rest string, err error) {
	if code == "" {
		return d, "", errors.New("a value of the report is missing")
	}
	d.Kind = code[0]
	head, rest := code[1:], code[1:]
	switch d.Kind {
	case TrueDatum, FalseDatum, NilDatum, ClosedDatum:
		return d, rest, nil
	case StringDatum, cutString, NumberDatum, OtherDatum:
		if d.Text, rest, err = upToEnd(rest); err != nil {
			return d, "", err
		}
		d.Length = len(d.Text)
		if d.Kind != cutString {
			return d, rest, nil
		}
		length, text, ok := strings.Cut(d.Text, ":")
		n, err := strconv.Atoi(length)
		if ok && err == nil {
			d.Kind, d.Length, d.Text = StringDatum, n, text
			return d, rest, nil
		}
	case TableDatum:
		var shown, cut, parts int
		head, rest, _ = strings.Cut(head, ":")
		if n, err := fmt.Sscanf(head, "%d,%d,%d,%d,%d", &d.Array, &shown, &d.Others, &cut, &parts); n < 5 || err != nil {
			break
		}
		d.Endless = cut != 0
		rest, err = d.decodeParts(rest, parts, shown)
		return d, rest, err
	}
	return Datum{}, "", fmt.Errorf("a value of the report is %.40q: that is in no known form", code)
}

// cutString is a StringDatum of which only the beginning is known.
const cutString = 'c'

// upToEnd is a text up to its ; and the rest after it.
func upToEnd(code string) (text, rest string, err error) {
	var out strings.Builder
	for i := 0; i < len(code); i++ {
		switch {
		case code[i] == ';':
			return out.String(), code[i+1:], nil
		case code[i] == '\\' && i+1 < len(code):
			i++
		}
		out.WriteByte(code[i])
	}
	return "", "", fmt.Errorf("a text of the report does not end: %.40q", code)
}

// decodeParts reads the parts of a table and returns the rest of the text.
func (d *Datum) decodeParts(code string, parts, shown int) (rest string, err error) {
	var all []Datum
	for range parts {
		var part Datum
		if part, code, err = nextDatum(code); err != nil {
			return "", err
		}
		all = append(all, part)
	}
	if shown < 0 || shown > len(all) || (len(all)-shown)%2 != 0 {
		return "", fmt.Errorf("a table of the report has %d parts, of which %d are its array", len(all), shown)
	}
	d.Items = all[:shown]
	for i := shown; i < len(all); i += 2 {
		d.Pairs = append(d.Pairs, [2]Datum{all[i], all[i+1]})
	}
	d.Sort()
	return code, nil
}

// Sort puts the keys of a table in the order in which they are shown.
func (d *Datum) Sort() {
	slices.SortStableFunc(d.Pairs, func(a, b [2]Datum) int {
		if c := strings.Compare(a[0].Text, b[0].Text); c != 0 {
			return c
		}
		return int(a[0].Kind) - int(b[0].Kind)
	})
}

// Lua writes a value as Lua source.
func (d Datum) Lua() string {
	switch d.Kind {
	case StringDatum:
		return d.quoted()
	case NumberDatum, OtherDatum:
		return d.Text
	case TrueDatum:
		return "true"
	case FalseDatum:
		return "false"
	case NilDatum:
		return "nil"
	case ClosedDatum:
		return "{…}"
	}
	var parts []string
	for _, item := range d.Items {
		parts = append(parts, item.Lua())
	}
	if !d.Endless {
		parts = andMore(parts, d.Array-len(d.Items), false)
	}
	for _, pair := range d.Pairs {
		key := "[" + pair[0].Lua() + "]"
		if pair[0].Kind == StringDatum && isName(pair[0].Text) && pair[0].Length == len(pair[0].Text) {
			key = pair[0].Text
		}
		parts = append(parts, key+" = "+pair[1].Lua())
	}
	return "{" + strings.Join(andMore(parts, d.Others-len(d.Pairs), d.Endless), ", ") + "}"
}

// andMore says how many parts are left out; of an endless number, that there are some.
func andMore(parts []string, more int, endless bool) []string {
	switch {
	case endless:
		parts = append(parts, "…")
	case more > 0:
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	return parts
}

func isName(text string) bool {
	first := syntax.Tokens(text)[0]
	return first.Kind == syntax.TokName && int(first.End-first.Start) == len(text)
}

// quoted is a string in quotes; of one that was cut, how long it was.
func (d Datum) quoted() string {
	if d.Length <= len(d.Text) {
		return strconv.Quote(d.Text)
	}
	text := d.Text
	for range utf8.UTFMax - 1 { // a character that the cut went through
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(text), d.Length)
}

// reply writes what a command answered as a client would see it.
func (d Datum) reply() string {
	switch d.Kind {
	case FalseDatum:
		return "nil"
	case TableDatum:
		if len(d.Items) > 0 || d.Others == 0 {
			break
		}
		for _, pair := range d.Pairs {
			switch pair[0].Text {
			case "ok":
				return pair[1].Text
			case "err":
				return "(error) " + pair[1].Text
			}
		}
	}
	if d.Kind != TableDatum || len(d.Pairs) > 0 {
		return d.Lua()
	}
	var parts []string
	for _, item := range d.Items {
		parts = append(parts, item.reply())
	}
	return "[" + strings.Join(andMore(parts, d.Array-len(d.Items), d.Endless), ", ") + "]"
}
