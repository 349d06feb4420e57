package player

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzFramesAreJSON(f *testing.F) {
	f.Add("f-keys", `<p class="x">&amp; \ / 锁</p>`)
	f.Add("", "\x00\n\t\u2028\x7f")
	f.Add("\xff", "a\xc3")
	f.Fuzz(func(t *testing.T, id, html string) {
		want := Frame{Rev: 3, Lesson: "eval", Say: html, Frags: []Frag{{id, html}, {html, id}}}
		data := Message{Op: "frame", Frame: &want}.Encode()
		var got Message
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if !utf8.Valid(data) || strings.ContainsAny(strings.TrimSpace(string(data)), "\n\x00") {
			t.Fatalf("%q is not text on one line", data)
		}
		if !utf8.ValidString(id) || !utf8.ValidString(html) {
			return // some of it was replaced
		}
		if got.Op != "frame" || got.V != Version || !reflect.DeepEqual(*got.Frame, want) {
			t.Fatalf("%+v became %s", want, data)
		}
	})
}

func TestAFrameOfNothing(t *testing.T) {
	data := string(Message{Op: "frame", Frame: &Frame{Frags: []Frag{}}}.Encode())
	if !strings.HasSuffix(data, `"frags":[]}`) || !json.Valid([]byte(data)) {
		t.Error(data)
	}
}
