package lua

import (
	"math"
	"strconv"
)

// FormatNumber writes a number as Lua 5.1 does: C's %.14g.
func FormatNumber(f float64) string {
	if i := int64(f); float64(i) == f && i > -1e14 && i < 1e14 && !negativeZero(f) {
		return strconv.FormatInt(i, 10)
	}
	return FormatG(f, 14)
}

func negativeZero(f float64) bool { return f == 0 && math.Signbit(f) }

// FormatG is C's %.<precision>g.
func FormatG(f float64, precision int) string {
	switch {
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', precision, 64)
}

// NaN is what an operation on numbers gives that has no result: x86 sets the sign
// of it, which tostring shows, and other platforms do not.
var NaN = math.Copysign(math.NaN(), -1)

// Result is a result as x86 gives it: of one that is no number the sign is that of
// the first operand that was none, and else it is set.
func Result(r float64, operands ...float64) float64 {
	if r == r {
		return r
	}
	for _, x := range operands {
		if x != x {
			return x
		}
	}
	return NaN
}
