package lessons

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// An encoded catalog is an array of JSON, whose elements stand on lines of their own: the list
// of the lessons, then each lesson.
const (
	catalogBegins = "[\n"
	catalogGoesOn = ",\n"
	catalogEnds   = "\n]\n"
)

// listed is what the list says of a lesson.
type listed struct {
	Name    string
	Title   Text
	Chapter string
}

// Encode writes a catalog as JSON, for programs without a decoder of YAML. Decode reads it.
func Encode(catalog []*Lesson) ([]byte, error) {
	list := make([]listed, len(catalog))
	for i, l := range catalog {
		list[i] = listed{l.Name, l.Title, l.Chapter}
	}
	var b bytes.Buffer
	b.WriteString(catalogBegins)
	err := encode(&b, list)
	for _, l := range catalog {
		b.WriteString(catalogGoesOn)
		err = errors.Join(err, encode(&b, l))
	}
	b.WriteString(catalogEnds)
	if err != nil {
		return nil, fmt.Errorf("the lessons cannot be encoded: %w", err)
	}
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any) error {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false) // it is not part of a page
	if err := e.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the end of the line
	return nil
}

// Encoded is a catalog that Encode wrote. Of its lessons a program reads those that it needs:
// in a browser, to read all of them takes as long as to start.
type Encoded struct {
	List  []*Lesson // in teaching order, with a name, a title and a chapter only
	lines [][]byte  // the lessons
	read  []*Lesson // those that were
}

// Decode reads the list of a catalog that Encode wrote. Anything else is an error.
func Decode(data []byte) (*Encoded, error) {
	data, begins := bytes.CutPrefix(data, []byte(catalogBegins))
	data, ends := bytes.CutSuffix(data, []byte(catalogEnds))
	if !begins || !ends {
		return nil, errors.New("this is not a catalog of lessons")
	}
	lines := bytes.Split(data, []byte(catalogGoesOn))
	var list []listed
	if err := decode(lines[0], &list); err != nil {
		return nil, fmt.Errorf("this is not a catalog of lessons: %w", err)
	}
	if len(list) != len(lines)-1 {
		return nil, fmt.Errorf("this is not a catalog of lessons: it has %d, and lists %d", len(lines)-1, len(list))
	}
	c := &Encoded{lines: lines[1:], read: make([]*Lesson, len(list))}
	for _, l := range list {
		c.List = append(c.List, &Lesson{Name: l.Name, Title: l.Title, Chapter: l.Chapter})
	}
	return c, nil
}

// Read is the lesson of that name, as it was encoded.
func (c *Encoded) Read(name string) (*Lesson, error) {
	i := slices.IndexFunc(c.List, func(l *Lesson) bool { return l.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("the catalog has no lesson %q", name)
	}
	if c.read[i] != nil {
		return c.read[i], nil
	}
	l := &Lesson{}
	if err := decode(c.lines[i], l); err != nil {
		return nil, fmt.Errorf("this is not lesson %q: %w", name, err)
	}
	if l.Name != name || l.Hash == "" || len(l.Nodes) == 0 {
		return nil, fmt.Errorf("lesson %q of the catalog is incomplete", name)
	}
	c.read[i] = l
	return l, nil
}

func decode(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// FS holds the lessons that come with the program: a folder for each, and the
// lock clients and their scripts, which they share.
//
//go:embed */lesson.yaml */*.lua clients/*/*.lua
var FS embed.FS
