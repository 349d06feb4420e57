package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
)

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// spanText formats a span, exactly or rounded.
type spanText func(lang lessons.Lang, d time.Duration) string

// long tells whether a span is so long that it is rounded.
func long(d time.Duration) bool { return d > 2*day || d < -2*day }

// span is a duration as people say it: 28 s, 1.5 s, 5 min 20 s, 2 h, ≈ 54 years.
func span(lang lessons.Lang, d time.Duration) string {
	if !long(d) {
		return exactSpan(lang, d)
	}
	if d < 0 {
		return "−" + span(lang, -d)
	}
	return rounded(lang, d, unitDay, unitYear)
}

// rounded is a long span in days or years.
func rounded(lang lessons.Lang, d time.Duration, days, years msg) string {
	unit, name := day, days
	if d >= 2*year {
		unit, name = year, years
	}
	text := strconv.FormatInt(int64(d.Round(unit)/unit), 10) + " " + name.in(lang)
	if d%unit != 0 {
		return "≈ " + text
	}
	return text
}

// exactSpan is a duration to the last millisecond: the title of a rounded one.
func exactSpan(lang lessons.Lang, d time.Duration) string {
	if d < 0 {
		return "−" + exactSpan(lang, -d)
	}
	if 0 < d && d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " " + unitMilli.in(lang)
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

// offset is how far a clock is ahead, or behind: +10 s, −2 s.
func offset(lang lessons.Lang, d time.Duration) string {
	if d < 0 {
		return span(lang, d)
	}
	return "+" + span(lang, d)
}

// jump is how a clock was set.
func jump(lang lessons.Lang, d time.Duration) string {
	way := jumpForward
	if d < 0 {
		way, d = jumpBack, -d
	}
	text := way.in(lang, span(lang, d))
	if lang == lessons.Zh {
		text = strings.Replace(text, " ≈ ", "约 ", 1)
	}
	return text
}

// instant is a point of virtual time: t = 12.5 s.
func instant(lang lessons.Lang, at engine.Instant) string {
	return instantIn(lang, at, span)
}

// unbroken keeps a number and its unit in one line where the words beside them may break anywhere, as Chinese does.
func unbroken(lang lessons.Lang, text string) string {
	if lang == lessons.Zh {
		text = strings.ReplaceAll(text, " ", "\u00a0")
	}
	return text
}

func instantIn(lang lessons.Lang, at engine.Instant, say spanText) string {
	text := say(lang, at)
	if after, rounded := strings.CutPrefix(text, "≈ "); rounded {
		return "t ≈ " + after
	}
	return "t = " + text
}

// shortInstant is a point of virtual time where there is little room: 12.5, from ten
// minutes on 1:46:40, and ≈ 54 y.
func shortInstant(lang lessons.Lang, at engine.Instant) string {
	switch {
	case at < 10*time.Minute:
		return seconds(at)
	case long(at):
		return rounded(lang, at, unitDayShort, unitYearShort)
	}
	text := fmt.Sprintf("%02d:%02d", at/time.Minute%60, at/time.Second%60)
	if h := at / time.Hour; h > 0 {
		text = strconv.FormatInt(int64(h), 10) + ":" + text
	}
	if ms := at % time.Second; ms > 0 {
		text += strings.TrimPrefix(seconds(ms), "0")
	}
	return text
}

// axisSpan is how long after the start an instant is, as a lane's head has room for it: as the axis writes it, from ten
// minutes on.
func axisSpan(lang lessons.Lang, at engine.Instant) string {
	if at < 10*time.Minute || long(at) {
		return span(lang, at)
	}
	return shortInstant(lang, at)
}

// epochHint explains a number that came from a client's clock: 1700000035000 is
// "t = 35 s". It is empty for any other number.
func epochHint(lang lessons.Lang, text string) string {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms < engine.Epoch || ms > engine.Epoch+day.Milliseconds() {
		return ""
	}
	return instant(lang, time.Duration(ms-engine.Epoch)*time.Millisecond)
}

// clip shortens a text of any length to so many runes.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n, cut := 0, 0
	for i := range text {
		if n++; n == most {
			cut = i
		}
		if n > most {
			return text[:cut] + "…"
		}
	}
	return text
}
