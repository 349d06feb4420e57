package luaprobe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is a Lua value as it was at some moment.
type Value struct {
	Type string // as Lua's type() says
	Text string // as Lua would write it; long strings and tables are cut
}

// datum is a value as the probe sends it. It is one of
//
//	s<length>:<its first bytes>   a string
//	n<text>                       a number
//	y, x, z                       true, false, nil
//	o<type>                       a function, a thread or userdata
//	t                             a table that is not looked into
//	a<array>,<shown>,<others>,<cut>:<parts>
//
// The last is a table: how long its array is and how much of it is shown, how
// many other keys it has, and whether there is more that was not counted. A part is
// <length>:<datum>: the shown elements, then keys and values in turn.
type datum struct {
	kind    byte
	text    string // of s, n and o
	length  int    // of s, in bytes
	array   int
	items   []datum
	others  int // how many keys there are besides the array
	pairs   [][2]datum
	endless bool // there is more than was counted
}

func decodeDatum(code string) (datum, error) {
	if code == "" {
		return datum{}, fmt.Errorf("a value of the report is empty")
	}
	d := datum{kind: code[0], text: code[1:]}
	switch d.kind {
	case 'n', 'y', 'x', 'z', 'o', 't':
		return d, nil
	case 's':
		length, text, ok := strings.Cut(d.text, ":")
		n, err := strconv.Atoi(length)
		if !ok || err != nil {
			break
		}
		d.length, d.text = n, text
		return d, nil
	case 'a':
		var shown, cut int
		head, parts, _ := strings.Cut(d.text, ":")
		if n, err := fmt.Sscanf(head, "%d,%d,%d,%d", &d.array, &shown, &d.others, &cut); n < 4 || err != nil {
			break
		}
		d.endless, d.text = cut != 0, ""
		return d, d.decodeParts(parts, shown)
	}
	return datum{}, fmt.Errorf("a value of the report is %.40q: that is in no known form", code)
}

func (d *datum) decodeParts(parts string, shown int) error {
	var all []datum
	for parts != "" {
		length, rest, ok := strings.Cut(parts, ":")
		n, err := strconv.Atoi(length)
		if !ok || err != nil || n < 0 || n > len(rest) {
			return fmt.Errorf("a table of the report has a part %.40q without its length", parts)
		}
		part, err := decodeDatum(rest[:n])
		if err != nil {
			return err
		}
		all = append(all, part)
		parts = rest[n:]
	}
	if shown < 0 || shown > len(all) || (len(all)-shown)%2 != 0 {
		return fmt.Errorf("a table of the report has %d parts, of which %d are its array", len(all), shown)
	}
	d.items = all[:shown]
	for i := shown; i < len(all); i += 2 {
		d.pairs = append(d.pairs, [2]datum{all[i], all[i+1]})
	}
	slices.SortFunc(d.pairs, func(a, b [2]datum) int {
		if c := strings.Compare(a[0].text, b[0].text); c != 0 {
			return c
		}
		return int(a[0].kind) - int(b[0].kind)
	})
	return nil
}

var typeOf = map[byte]string{
	's': "string", 'n': "number", 'y': "boolean", 'x': "boolean", 'z': "nil", 't': "table", 'a': "table",
}

func (d datum) value() Value {
	if d.kind == 'o' {
		return Value{d.text, d.text}
	}
	return Value{typeOf[d.kind], d.lua()}
}

// lua writes a value in the words of Lua.
func (d datum) lua() string {
	switch d.kind {
	case 's':
		return d.quoted()
	case 'n', 'o':
		return d.text
	case 'y':
		return "true"
	case 'x':
		return "false"
	case 'z':
		return "nil"
	case 't':
		return "{…}"
	}
	var parts []string
	for _, item := range d.items {
		parts = append(parts, item.lua())
	}
	if more := d.array - len(d.items); more > 0 && !d.endless {
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	for _, pair := range d.pairs {
		key := "[" + pair[0].lua() + "]"
		if pair[0].kind == 's' && isName(pair[0].text) && pair[0].length == len(pair[0].text) {
			key = pair[0].text
		}
		parts = append(parts, key+" = "+pair[1].lua())
	}
	switch more := d.others - len(d.pairs); {
	case d.endless:
		parts = append(parts, "…")
	case more > 0:
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func isName(text string) bool {
	if text == "" || isDigit(text[0]) || keywords[text] {
		return false
	}
	for i := range len(text) {
		if !isWord(text[i]) {
			return false
		}
	}
	return true
}

// quoted is a string in quotes; of one that was cut, how long it was.
func (d datum) quoted() string {
	if d.length <= len(d.text) {
		return strconv.Quote(d.text)
	}
	text := d.text
	for range utf8.UTFMax - 1 { // a character that the cut went through
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(text), d.length)
}

// reply writes what a command answered as a client would see it.
func (d datum) reply() string {
	switch d.kind {
	case 'x':
		return "nil"
	case 'a':
		if len(d.items) > 0 || d.others == 0 {
			break
		}
		for _, pair := range d.pairs {
			switch pair[0].text {
			case "ok":
				return pair[1].text
			case "err":
				return "(error) " + pair[1].text
			}
		}
	}
	if d.kind != 'a' || len(d.pairs) > 0 {
		return d.lua()
	}
	var parts []string
	for _, item := range d.items {
		parts = append(parts, item.reply())
	}
	switch more := d.array - len(d.items); {
	case d.endless:
		parts = append(parts, "…")
	case more > 0:
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
