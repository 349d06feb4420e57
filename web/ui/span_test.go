package ui

import (
	"testing"
	"time"

	"lockstep/lessons"
)

func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		span          time.Duration
		en, zh, exact string // exact is in English
	}{
		{time.Millisecond, "1 ms", "1 毫秒", "1 ms"},
		{-40 * time.Millisecond, "−40 ms", "−40 毫秒", "−40 ms"},
		{0, "0 s", "0 秒", "0 s"},
		{time.Second, "1 s", "1 秒", "1 s"},
		{1500 * time.Millisecond, "1.5 s", "1.5 秒", "1.5 s"},
		{5*time.Minute + 20*time.Second, "320 s", "320 秒", "320 s"},
		{10 * time.Minute, "10 min", "10 分钟", "10 min"},
		{6400 * time.Second, "1 h 46 min 40 s", "1 小时 46 分钟 40 秒", "1 h 46 min 40 s"},
		{48 * time.Hour, "48 h", "48 小时", "48 h"},
		{48*time.Hour + time.Millisecond, "≈ 2 days", "≈ 2 天", "48 h 0.001 s"},
		{72 * time.Hour, "3 days", "3 天", "72 h"},
		{-72 * time.Hour, "−3 days", "−3 天", "−72 h"},
		{472222*time.Hour + 14*time.Minute + 5*time.Second, "≈ 54 years", "≈ 54 年", "472222 h 14 min 5 s"},
	} {
		if got := span(lessons.En, tt.span); got != tt.en {
			t.Errorf("%v is %q in English, want %q", tt.span, got, tt.en)
		}
		if got := span(lessons.Zh, tt.span); got != tt.zh {
			t.Errorf("%v is %q in Chinese, want %q", tt.span, got, tt.zh)
		}
		if got := exactSpan(lessons.En, tt.span); got != tt.exact {
			t.Errorf("%v is exactly %q, want %q", tt.span, got, tt.exact)
		}
	}
	if got := instant(lessons.En, 54*year+time.Hour); got != "t ≈ 54 years" {
		t.Errorf("a far instant is %q", got)
	}
}

func TestInstantsWhereThereIsLittleRoom(t *testing.T) {
	for want, at := range map[string]time.Duration{
		"12.5":    12500 * time.Millisecond,
		"320":     320 * time.Second,
		"1:46:40": 6400 * time.Second,
		"10 y":    87600 * time.Hour,
	} {
		if got := shortInstant(lessons.En, at); got != want {
			t.Errorf("%v is %q, want %q", at, got, want)
		}
	}
}
