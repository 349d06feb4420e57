package search

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine"
)

// An assumption about time is written as it is read.
func TestTimeBoundsAreReadAsTheyAreWritten(t *testing.T) {
	codes := map[string]bool{}
	for text, want := range map[string]TimeBound{
		"prompt": Prompt, "arrive": Arrive, "any": AnyLate, "late=2s": {Late: 2 * time.Second}, "late=1500ms": {Late: 1500 * time.Millisecond},
	} {
		b, err := ParseTimeBound(text)
		if err != nil || b != want || b.String() != text || b.valid() != nil {
			t.Errorf("%s is read as %+v, %v, and written %s", text, b, err, b)
		}
		codes[b.Fact().Code] = true
	}
	if len(codes) != 4 {
		t.Errorf("they are told as %v", codes)
	}
	for text, want := range map[string]string{
		"": "there is no assumption about time", "soon": "write prompt, arrive, late=2s or any", "late": "there is no assumption", "late=": "duration", "late=-1s": "",
	} {
		if b, err := ParseTimeBound(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %+v, %v", text, b, err)
		}
	}
	for _, b := range []TimeBound{{Late: -1}, {Late: time.Microsecond}, {Late: engine.MaxSpan + time.Millisecond}} {
		if b.valid() == nil {
			t.Errorf("%s is taken", b)
		}
	}
	if (TimeBound{Late: engine.MaxSpan}).valid() != nil {
		t.Error("the largest span is not taken")
	}
}
