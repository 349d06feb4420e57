package luaexec

import (
	"math"
	"strconv"
)

// formatNumber writes a number as Lua 5.1 does: %.14g.
func formatNumber(f float64) string { return formatG(f, 14) }

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

// toInt64 is C's cast from double to a 64-bit integer as x86 does it: toward
// zero, and the smallest integer for what does not fit.
func toInt64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}
