package engine

import (
	"testing"
	"time"
)

func TestSpansAreReadAsTheyAreWritten(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"30s":       30 * time.Second,
		"1500ms":    1500 * time.Millisecond,
		"90s":       90 * time.Second,
		"2h":        2 * time.Hour,
		"87600h35s": 87600*time.Hour + 35*time.Second,
		"1h61100ms": time.Hour + 61100*time.Millisecond,
	} {
		got := FormatSpan(d)
		back, err := ParseSpan(got)
		if got != want || err != nil || back != d {
			t.Errorf("%v is written %s, want %s; read back as %v, %v", d, got, want, back, err)
		}
	}
	if got := FormatSpan(0); got != "0s" {
		t.Errorf("zero is written %s", got)
	}
}
