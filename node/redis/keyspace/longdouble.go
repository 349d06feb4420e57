package keyspace

import (
	"math/big"
	"strings"
)

// longDoubleBits is the mantissa of a long double of C on x86, which Redis
// counts INCRBYFLOAT in.
const longDoubleBits = 64

// maxLongDouble is the exponent from which a long double is infinite.
const maxLongDouble = 16384

// parseLongDouble reads what C's strtold takes in full, but no NaN.
func parseLongDouble(s string) (*big.Float, bool) {
	if s == "" || isSpace(s[0]) || strings.ContainsAny(s, "_\x00") || len(s) > 5119 {
		return nil, false
	}
	unsigned := strings.ToLower(strings.TrimLeft(s, "+-"))
	if len(s)-len(unsigned) > 1 {
		return nil, false
	}
	f := new(big.Float).SetPrec(longDoubleBits)
	if unsigned == "inf" || unsigned == "infinity" {
		return f.SetInf(s[0] == '-'), true
	}
	base, digits, exponent := 10, "123456789", "e"
	if strings.HasPrefix(unsigned, "0x") {
		base, digits, exponent = 16, "123456789abcdef", "p"
		unsigned = unsigned[2:]
	} else if strings.Contains(unsigned, "p") {
		return nil, false
	}
	_, _, err := f.Parse(unsigned, base)
	mantissa, _, _ := strings.Cut(unsigned, exponent)
	vanished := f.Sign() == 0 && strings.ContainsAny(mantissa, digits)
	if err != nil || vanished || !inRange(f) {
		return nil, false
	}
	if s[0] == '-' {
		f.Neg(f)
	}
	return f, true
}

func inRange(f *big.Float) bool {
	exponent := f.MantExp(nil)
	return !f.IsInf() && exponent <= maxLongDouble && exponent > -maxLongDouble-longDoubleBits
}

// formatLongDouble is C's %.17Lf without zeros at the end.
func formatLongDouble(f *big.Float) string {
	s := f.Text('f', 17)
	s = strings.TrimRight(s, "0")
	s = strings.TrimSuffix(s, ".")
	if s == "-0" {
		return "0"
	}
	return s
}
