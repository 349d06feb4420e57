package keyspace

import (
	"math"
	"strconv"
	"strings"
)

// ParseInt reads an integer as Redis does: no plus sign, no spaces, no leading
// zeros, no -0.
func ParseInt(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// add tells whether a+b fits.
func add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

// parseFloat reads a score as Redis does: any text that C's strtod reads to its end, except
// NaN and numbers out of range.
func parseFloat(s string) (float64, bool) {
	if s == "" || isSpace(s[0]) {
		return 0, false
	}
	f, inRange, ok := strtod(s)
	return f, ok && inRange
}

// parseBound reads an end of a score range, where Redis is laxer: leading spaces are
// skipped, an empty text is 0, and a number that is too large is infinite.
func parseBound(s string) (float64, bool) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	if s == "" {
		return 0, true
	}
	f, _, ok := strtod(strings.TrimLeft(s, " \t\n\v\f\r"))
	return f, ok
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// strtod is C's, for texts that it reads to their end, without NaN.
func strtod(s string) (f float64, inRange, ok bool) {
	if s == "" || strings.IndexByte(s, '_') >= 0 {
		return 0, false, false
	}
	mantissa := s
	if unsigned := strings.TrimLeft(s, "+-"); len(unsigned) > 2 && unsigned[0] == '0' && unsigned[1]|0x20 == 'x' {
		mantissa = unsigned[2:]
		if i := strings.IndexAny(mantissa, "pP"); i >= 0 {
			mantissa = mantissa[:i]
		} else {
			s += "p0" // Go wants the exponent that C leaves out
		}
	} else if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa = mantissa[:i]
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false, false
	}
	if math.IsNaN(f) {
		return 0, false, false
	}
	vanished := f == 0 && strings.ContainsAny(mantissa, "123456789abcdefABCDEF")
	return f, err == nil && !vanished, true
}

// formatScore writes a score as Redis 7.0 does: C's %.17g.
func formatScore(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', 17, 64)
}

// clampRange converts an inclusive range of indexes as in Redis, where -1 is the last item,
// to a half-open one.
func clampRange(start, stop int64, n int) (from, to int) {
	size := int64(n)
	if start < 0 {
		start = max(start+size, 0)
	}
	if stop < 0 {
		stop += size
	}
	if start > stop || start >= size {
		return 0, 0
	}
	return int(start), int(min(stop, size-1)) + 1
}
