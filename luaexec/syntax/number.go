package syntax

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

const blanks = " \t\n\v\f\r"

// Number reads a whole text as a number, as Lua 5.1 does: decimal, hexadecimal, inf or
// nan, with white space around it. Anything after a zero byte is ignored.
func Number(s string) (float64, bool) {
	s, _, _ = strings.Cut(s, "\x00")
	f, rest := NumberPrefix(s)
	if len(rest) == len(s) {
		return 0, false
	}
	return f, strings.TrimLeft(rest, blanks) == ""
}

// NumberPrefix is C's strtod: the number at the beginning of a text and the rest of the
// text, which is all of it if there is no number.
func NumberPrefix(s string) (float64, string) {
	digits := strings.TrimLeft(s, blanks)
	negative := false
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		negative = digits[0] == '-'
		digits = digits[1:]
	}
	f, n := prefixOf(digits)
	if n == 0 {
		return 0, s
	}
	if negative {
		f = -f
	}
	return f, digits[n:]
}

// prefixOf reads an unsigned number and tells how many bytes it took.
func prefixOf(s string) (float64, int) {
	switch {
	case hasPrefixFold(s, "infinity"):
		return math.Inf(1), len("infinity")
	case hasPrefixFold(s, "inf"):
		return math.Inf(1), len("inf")
	case hasPrefixFold(s, "nan"):
		return math.NaN(), len("nan") + nanTag(s[len("nan"):])
	case hasPrefixFold(s, "0x"):
		if f, n := hexPrefix(s); n > 0 {
			return f, n
		}
	}
	n := mantissa(s, isDigit)
	if n == 0 {
		return 0, 0
	}
	n += exponent(s[n:], 'e')
	return parseFloat(s[:n]), n
}

// nanTag is the length of the parenthesis that may follow nan.
func nanTag(s string) int {
	if !strings.HasPrefix(s, "(") {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ')':
			return i + 1
		case !isAlphanumeric(c):
			return 0
		}
	}
	return 0
}

func hexPrefix(s string) (float64, int) {
	n := mantissa(s[2:], isHexDigit)
	if n == 0 {
		return 0, 0
	}
	n += 2
	e := exponent(s[n:], 'p')
	if e == 0 {
		return parseFloat(s[:n] + "p0"), n
	}
	return parseFloat(s[:n+e]), n + e
}

// mantissa is the length of digits with at most one point among them.
func mantissa(s string, digit func(byte) bool) int {
	seen, point := false, false
	i := 0
loop:
	for ; i < len(s); i++ {
		switch {
		case digit(s[i]):
			seen = true
		case s[i] == '.' && !point:
			point = true
		default:
			break loop
		}
	}
	if !seen {
		return 0
	}
	return i
}

// exponent is the length of an exponent, 0 if it has no digits.
func exponent(s string, mark byte) int {
	if s == "" || s[0]|0x20 != mark {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i == start {
		return 0
	}
	return i
}

func parseFloat(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return math.NaN()
	}
	return f
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// Modulo is a % b: by the quotient, with the sign of b. The conversion keeps the
// compiler from fusing the multiplication with the subtraction, which would round once
// only.
func Modulo(a, b float64) float64 { return a - float64(math.Floor(a/b)*b) }
