package player

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"lockstep/engine"
)

func (d *testClient) file(format string) string {
	d.t.Helper()
	for _, m := range d.session.Handle(d.t.Context(), []byte(`{"v":1,"id":900,"op":"export","text":"`+format+`"}`)) {
		if m.Reply != nil && m.OK {
			return m.File
		}
	}
	d.t.Fatalf("there is no %s", format)
	return ""
}

// What is saved is what playground run prints, which knows nothing of lines of code.
func TestASavedTraceIsThatOfTheCommandLine(t *testing.T) {
	d := open(t)
	d.ok(`"op":"seek","pos":1`)
	d.ok(`"op":"line","n":1`) // looked into, which is no part of the trace
	d.ok(`"op":"seek","pos":4`)
	l := fixture()
	nodes, _, err := Embedded{}.Open(t.Context(), "", l)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := l.Scenario(nodes)
	if err != nil {
		t.Fatal(err)
	}
	_, trace, err := engine.Replay(t.Context(), scenario, l.Choices()[:4])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.file("text"), trace.String(); got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetIndent("", "  ")
	if err := e.Encode(trace); err != nil {
		t.Fatal(err)
	}
	if got := d.file("json"); got != want.String() {
		t.Errorf("the JSON is\n%s\nwant\n%s", got, want.String())
	}
	if got := d.file("svg"); !strings.HasPrefix(got, "<svg ") {
		t.Errorf("the picture is %q", got)
	}
	d.refused(`"op":"export","text":"pdf"`, CodeBadMessage)
}
