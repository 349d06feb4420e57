package engine

import (
	"strings"
	"testing"
	"time"
)

func TestSpansAreReadAsTheyAreWritten(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"30s":               30 * time.Second,
		"1500ms":            1500 * time.Millisecond,
		"90s":               90 * time.Second,
		"3599s":             59*time.Minute + 59*time.Second,
		"2h":                2 * time.Hour,
		"2h30m":             2*time.Hour + 30*time.Minute,
		"2h30s":             2*time.Hour + 30*time.Second,
		"1h46m40s":          6400 * time.Second,
		"1h1m1100ms":        time.Hour + 61100*time.Millisecond,
		"2h1ms":             2*time.Hour + time.Millisecond,
		"875999h59m59999ms": MaxSpan - time.Millisecond,
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

func TestSpansThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"soon": "is not a duration", "0s": "must be more than zero", "-1ns": "must be more than zero",
		"1ns": "whole number of milliseconds", "1500us": "whole number of milliseconds",
		"876000h1ms": "876000h",
	} {
		if d, err := ParseSpan(text); d != 0 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is read as %v, %v", text, d, err)
		}
	}
	if d, err := ParseSpan("876000h"); d != MaxSpan || err != nil {
		t.Errorf("the longest span is read as %v, %v", d, err)
	}
}

func FuzzSpan(f *testing.F) {
	for _, ms := range []int64{1, 999, 6_400_000, 3_661_100} {
		f.Add(ms)
	}
	f.Fuzz(func(t *testing.T, ms int64) {
		d := time.Duration(ms) * time.Millisecond
		if ms <= 0 || ms > MaxSpan.Milliseconds() {
			return
		}
		if back, err := ParseSpan(FormatSpan(d)); err != nil || back != d {
			t.Errorf("%v is written %s, and read back as %v, %v", d, FormatSpan(d), back, err)
		}
	})
}
