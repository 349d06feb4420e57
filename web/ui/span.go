package ui

import (
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

// span is a duration as people say it: 28 s, 1.5 s, 5 min 20 s, 2 h.
func span(lang lessons.Lang, d time.Duration) string {
	if d < 0 {
		return "−" + span(lang, -d)
	}
	if d < 10*time.Minute {
		return seconds(d) + " " + unitSecond.in(lang)
	}
	var parts []string
	if h := d / time.Hour; h > 0 {
		parts = append(parts, strconv.FormatInt(int64(h), 10)+" "+unitHour.in(lang))
		d -= h * time.Hour
	}
	if m := d / time.Minute; m > 0 {
		parts = append(parts, strconv.FormatInt(int64(m), 10)+" "+unitMinute.in(lang))
		d -= m * time.Minute
	}
	if d > 0 {
		parts = append(parts, seconds(d)+" "+unitSecond.in(lang))
	}
	return strings.Join(parts, " ")
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d/time.Millisecond)/1000, 'f', -1, 64)
}

// instant is a point of virtual time: t = 12.5 s.
func instant(lang lessons.Lang, at engine.Instant) string {
	return "t = " + span(lang, at)
}

// epochHint reads a number that a client's clock made: 1700000035000 is
// "t = 35 s". Empty when the number is no such thing.
func epochHint(lang lessons.Lang, text string) string {
	const day = 24 * 60 * 60 * 1000
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms < engine.Epoch || ms > engine.Epoch+day {
		return ""
	}
	return instant(lang, time.Duration(ms-engine.Epoch)*time.Millisecond)
}

// clip shortens what could be any length to so many runes.
func clip(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	return string(r[:most-1]) + "…"
}
