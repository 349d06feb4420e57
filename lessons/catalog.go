package lessons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Encode writes a catalog as JSON, for programs without a decoder of YAML. Decode turns it
// back into the same lessons.
func Encode(catalog []*Lesson) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it is not part of a page
	if err := e.Encode(catalog); err != nil {
		return nil, fmt.Errorf("the lessons cannot be encoded: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads what Encode wrote. Anything else is an error.
func Decode(data []byte) ([]*Lesson, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var catalog []*Lesson
	if err := d.Decode(&catalog); err != nil {
		return nil, fmt.Errorf("this is not a catalog of lessons: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("this is not a catalog of lessons: something follows it")
	}
	for i, l := range catalog {
		if l == nil || l.Name == "" || l.Hash == "" || len(l.Nodes) == 0 {
			return nil, fmt.Errorf("this is not a catalog of lessons: lesson %d of it is incomplete", i+1)
		}
	}
	return catalog, nil
}
