package ui

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"lockstep/lessons"
)

// A picture stands alone: it is XML, whatever keys and replies hold, and refers to nothing.
func TestAPictureStandsAlone(t *testing.T) {
	for _, p := range storybook {
		for _, lang := range languages {
			text := Picture(p.view(lang))
			d := xml.NewDecoder(strings.NewReader(text))
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", p.name, err)
				}
				start, ok := token.(xml.StartElement)
				if !ok {
					continue
				}
				for _, a := range start.Attr {
					if slices.Contains([]string{"href", "class", "style"}, a.Name.Local) {
						t.Errorf("%s: <%s> has %s=%q", p.name, start.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
	}
}

func TestAPictureHoldsEveryStepAndTheBreach(t *testing.T) {
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "broken" })].view(lessons.En)
	text := Picture(v)
	for i := range v.Trace.Steps {
		if brief := xmlText(clip(Brief(lessons.En, &v.Trace.Steps[i]), 76)); !strings.Contains(text, brief) {
			t.Errorf("it lacks %q", brief)
		}
	}
	if !strings.Contains(text, picOverlap) {
		t.Error("two are inside at the same time, and no band shows it")
	}
	for _, b := range v.Step().Broken {
		if !strings.Contains(text, xmlText(clip(breachText(&v, b), 90))) {
			t.Errorf("it does not say how %s is broken", b.Invariant)
		}
	}
	if key := v.Snapshot().Nodes[0].Keys[0].Name; !strings.Contains(text, ">"+cut(key, picKey)+"<") {
		t.Errorf("the lease has no name: %s", key)
	}
}

// What there is after the last step is in the picture, too.
func TestAPictureEndsBelowItsLastStep(t *testing.T) {
	v := storybook[slices.IndexFunc(storybook, func(p page) bool { return p.name == "broken" })].view(lessons.En)
	text := Picture(v)
	var height, band int
	if _, err := fmt.Sscanf(text[strings.Index(text, "height="):], `height="%d"`, &height); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(text[strings.LastIndex(text[:strings.Index(text, picOverlap)], " y="):], ` y="%d"`, &band); err != nil {
		t.Fatal(err)
	}
	if band+picRow > height {
		t.Errorf("the band begins at %d, and the picture ends at %d", band, height)
	}
}

func TestXMLHasNoControlCharacters(t *testing.T) {
	if got := xmlText("a\x00\x1b\xff<&\ufffe"); got != "a\ufffd\ufffd\ufffd&lt;&amp;\ufffd" {
		t.Errorf("%q", got)
	}
}
