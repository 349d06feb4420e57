package luaexec

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// stringFormat is string.format: C's printf as Lua 5.1 lets it through.
func stringFormat(L *lua.LState) int {
	format := checkString(L, 1)
	var out strings.Builder
	argument := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		i++
		if i < len(format) && format[i] == '%' {
			out.WriteByte('%')
			continue
		}
		argument++
		if argument > L.GetTop() {
			argumentError(L, argument, "no value")
		}
		spec, conversion, next := readSpec(L, format, i)
		writeFormatted(L, &out, spec, conversion, argument)
		if out.Len() > maxString {
			chargeString(L, out.Len())
		}
		i = next
	}
	chargeString(L, out.Len())
	return push(L, lua.LString(out.String()))
}

// formatSpec is what stands between % and the conversion.
type formatSpec struct {
	flags     string
	width     int
	precision int // -1 when there is none
}

func readSpec(L *lua.LState, format string, i int) (formatSpec, byte, int) {
	spec := formatSpec{precision: -1}
	start := i
	for i < len(format) && strings.IndexByte("-+ #0", format[i]) >= 0 {
		i++
	}
	spec.flags = format[start:i]
	if len(spec.flags) > 5 {
		raise(L, "invalid format (repeated flags)")
	}
	digits := func() int {
		n := 0
		for k := 0; k < 2 && i < len(format) && isDigit(format[i]); k++ {
			n = n*10 + int(format[i]-'0')
			i++
		}
		return n
	}
	spec.width = digits()
	if i < len(format) && format[i] == '.' {
		i++
		spec.precision = digits()
	}
	if i < len(format) && isDigit(format[i]) {
		raise(L, "invalid format (width or precision too long)")
	}
	if i >= len(format) {
		raise(L, "invalid option '%' to 'format'")
	}
	return spec, format[i], i
}

func writeFormatted(L *lua.LState, out *strings.Builder, spec formatSpec, conversion byte, n int) {
	switch conversion {
	case 'c':
		spec.char(out, byte(toInt64(checkNumber(L, n))))
	case 'd', 'i':
		v := toInt64(checkNumber(L, n))
		magnitude := uint64(v)
		if v < 0 {
			magnitude = -magnitude
		}
		spec.integer(out, spec.sign(v < 0), strconv.FormatUint(magnitude, 10))
	case 'u':
		spec.integer(out, "", strconv.FormatUint(toUint64(checkNumber(L, n)), 10))
	case 'o':
		digits := strconv.FormatUint(toUint64(checkNumber(L, n)), 8)
		if spec.has('#') && digits != "0" {
			digits = "0" + digits
		}
		spec.integer(out, "", digits)
	case 'x', 'X':
		v := toUint64(checkNumber(L, n))
		digits, prefix := strconv.FormatUint(v, 16), ""
		if spec.has('#') && v != 0 {
			prefix = "0x"
		}
		if conversion == 'X' {
			digits, prefix = strings.ToUpper(digits), strings.ToUpper(prefix)
		}
		spec.integer(out, prefix, digits)
	case 'e', 'E', 'f', 'g', 'G':
		spec.float(out, conversion, checkNumber(L, n))
	case 'q':
		out.WriteString(`"` + quotes.Replace(checkString(L, n)) + `"`)
	case 's':
		spec.text(out, checkString(L, n))
	default:
		raisef(L, "invalid option '%%%c' to 'format'", conversion)
	}
}

// char writes one byte; C's string ends at a zero one.
func (s formatSpec) char(out *strings.Builder, c byte) {
	if c != 0 {
		s.pad(out, "", string([]byte{c}), false)
	} else if !s.has('-') {
		out.WriteString(strings.Repeat(" ", max(s.width-1, 0)))
	}
}

// text writes a string: a long one that need not be cut as it is, any other as C
// sees it, up to a zero byte.
func (s formatSpec) text(out *strings.Builder, text string) {
	const long = 100
	if s.precision < 0 && len(text) >= long {
		out.WriteString(text)
		return
	}
	text, _, _ = strings.Cut(text, "\x00")
	if s.precision >= 0 {
		text = text[:min(len(text), s.precision)]
	}
	s.pad(out, "", text, false)
}

func (s formatSpec) has(flag byte) bool { return strings.IndexByte(s.flags, flag) >= 0 }

func (s formatSpec) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.has('+'):
		return "+"
	case s.has(' '):
		return " "
	}
	return ""
}

func (s formatSpec) integer(out *strings.Builder, prefix, digits string) {
	if s.precision == 0 && digits == "0" {
		digits = ""
	}
	if len(digits) < s.precision {
		digits = strings.Repeat("0", s.precision-len(digits)) + digits
	}
	s.pad(out, prefix, digits, s.has('0') && s.precision < 0)
}

// pad fills up to the width: with blanks on one side, or with zeros after the
// sign or prefix.
func (s formatSpec) pad(out *strings.Builder, prefix, text string, zeros bool) {
	missing := max(s.width-len(prefix)-len(text), 0)
	switch {
	case s.has('-'):
		out.WriteString(prefix + text + strings.Repeat(" ", missing))
	case zeros:
		out.WriteString(prefix + strings.Repeat("0", missing) + text)
	default:
		out.WriteString(strings.Repeat(" ", missing) + prefix + text)
	}
}

func (s formatSpec) float(out *strings.Builder, conversion byte, f float64) {
	sign := s.sign(math.Signbit(f))
	if math.IsInf(f, 0) || math.IsNaN(f) {
		text := strings.TrimPrefix(formatG(f, 6), "-")
		if math.IsNaN(f) {
			sign = "-"
		}
		if conversion < 'a' {
			text = strings.ToUpper(text)
		}
		s.pad(out, sign, text, false)
		return
	}
	precision := s.precision
	if precision < 0 {
		precision = 6
	}
	if precision == 0 && (conversion == 'g' || conversion == 'G') {
		precision = 1
	}
	verb := "%." + strconv.Itoa(precision) + string(conversion)
	if s.has('#') {
		verb = "%#." + strconv.Itoa(precision) + string(conversion)
	}
	s.pad(out, sign, fmt.Sprintf(verb, math.Abs(f)), s.has('0'))
}

// toUint64 is C's cast from double to an unsigned 64-bit integer as x86 does it: a
// negative number wraps around.
func toUint64(f float64) uint64 {
	if f >= 1<<63 {
		return uint64(toInt64(f-1<<63)) ^ 1<<63
	}
	return uint64(toInt64(f))
}

// quotes are what the bytes of a string become that Lua would not read back as they are.
var quotes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", "\\\n", "\r", `\r`, "\x00", `\000`)
