package luaexec

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// formatNumber writes a number as Lua 5.1 does: %.14g.
func formatNumber(f float64) string {
	if i := int64(f); float64(i) == f && i > -1e14 && i < 1e14 && (i != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(i, 10)
	}
	return formatG(f, 14)
}

// formatArgument writes a number as redis.call sends it: %.17g.
func formatArgument(f float64) string {
	if i := int64(f); float64(i) == f && i > -1e17 && i < 1e17 && (i != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(i, 10)
	}
	return formatG(f, 17)
}

// formatG is C's %.<precision>g. NaN is always -nan, as x86 makes it from 0/0:
// its sign differs between platforms and traces must not.
func formatG(f float64, precision int) string {
	switch {
	case math.IsNaN(f):
		return "-nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', precision, 64)
}

// parseNumber reads a number as Lua 5.1 does: C's strtod with blanks around it.
func parseNumber(text string) (float64, bool) {
	s := strings.Trim(text, " \t\n\v\f\r")
	if s == "" || strings.ContainsAny(s, "_\x00") {
		return 0, false
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return 0, false
	}
	if len(digits) > 2 && (digits[1] == 'x' || digits[1] == 'X') && !strings.ContainsAny(digits, "pP") {
		s += "p0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return f, true
}

// toInt64 is C's cast from double to a 64-bit integer as x86 does it: toward
// zero, and the smallest integer for what does not fit.
func toInt64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
