package luaexec

import (
	"math"
	"strconv"
	"strings"
)

// numberPrefix is C's strtod: the number that a text begins with, decimal,
// hexadecimal, inf or nan, and how many bytes of the text it takes. None is 0.
func numberPrefix(text string) (f float64, n int) {
	sign := 0
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign = 1
	}
	rest := text[sign:]
	f, n = unsignedPrefix(rest)
	if n == 0 {
		return 0, 0
	}
	if sign == 1 && text[0] == '-' {
		f = math.Copysign(f, -1)
	}
	return f, sign + n
}

func unsignedPrefix(text string) (f float64, n int) {
	for _, word := range []string{"infinity", "inf", "nan"} {
		if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
			continue
		}
		if word == "nan" {
			return math.NaN(), len(word) + payload(text[len(word):])
		}
		return math.Inf(1), len(word)
	}
	if len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x' {
		if digits := mantissa(text[2:], "0123456789abcdefABCDEF"); digits > 0 {
			n = 2 + digits
			end := n + exponent(text[n:], 'p')
			literal := text[:end]
			if end == n {
				literal += "p0" // which Go wants and C does not
			}
			f, _ = strconv.ParseFloat(literal, 64) // out of range it is infinite, as in C
			return f, end
		}
	}
	n = mantissa(text, "0123456789")
	if n == 0 {
		return 0, 0
	}
	n += exponent(text[n:], 'e')
	f, _ = strconv.ParseFloat(text[:n], 64)
	return f, n
}

// mantissa is the length of digits with a point in them.
func mantissa(text, digits string) int {
	whole := len(text) - len(strings.TrimLeft(text, digits))
	if whole == len(text) || text[whole] != '.' {
		return whole
	}
	fraction := len(text) - whole - 1 - len(strings.TrimLeft(text[whole+1:], digits))
	if whole+fraction == 0 {
		return 0
	}
	return whole + 1 + fraction
}

// exponent is the length of an exponent, if there is a whole one.
func exponent(text string, mark byte) int {
	if text == "" || text[0]|0x20 != mark {
		return 0
	}
	n := 1
	if len(text) > 1 && (text[1] == '-' || text[1] == '+') {
		n = 2
	}
	rest := strings.TrimLeft(text[n:], "0123456789")
	if len(rest) == len(text)-n {
		return 0
	}
	return len(text) - len(rest)
}

// payload is the length of what may follow nan in parentheses.
func payload(text string) int {
	if text == "" || text[0] != '(' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == ')':
			return i + 1
		case !isAlphanumeric(c) && c != '_':
			return 0
		}
	}
	return 0
}
