package libm

import "math"

// largest is the largest angle in radians for which reducing it by multiples of pi/2 is
// precise enough. Beyond it, the functions of Go are used.
const largest = 1 << 28

// Sin is the sine of an angle in radians.
func Sin(x float64) float64 {
	if math.Abs(x) < tiny || !(math.Abs(x) < largest) {
		return math.Sin(x)
	}
	sin, _ := sincos(x)
	return sin.hi
}

// Cos is the cosine of an angle in radians.
func Cos(x float64) float64 {
	if !(math.Abs(x) < largest) {
		return math.Cos(x)
	}
	_, cos := sincos(x)
	return cos.hi
}

// Tan is the tangent of an angle in radians.
func Tan(x float64) float64 {
	if math.Abs(x) < tiny || !(math.Abs(x) < largest) {
		return math.Tan(x)
	}
	sin, cos := sincos(x)
	return sin.over(cos).hi
}

// sincos is the sine and the cosine of an angle: it is reduced to an eighth of the circle
// and put into the power series.
func sincos(x float64) (sin, cos double) {
	const terms = 14
	const third = -1.4973849048591833e-33 // the next bits of pi/2 after those of halfPi
	k := math.Round(x / halfPi.hi)
	r := double{x, 0}.minus(product(k, halfPi.hi)).minus(product(k, halfPi.lo)).minus(product(k, third))
	square := r.times(r)
	sin, cos = one, one
	for i := terms; i > 0; i-- {
		n := float64(2 * i)
		sin = one.minus(square.times(sin).over(double{n * (n + 1), 0}))
		cos = one.minus(square.times(cos).over(double{n * (n - 1), 0}))
	}
	sin = sin.times(r)
	switch int(k) & 3 {
	case 1:
		return cos, double{-sin.hi, -sin.lo}
	case 2:
		return double{-sin.hi, -sin.lo}, double{-cos.hi, -cos.lo}
	case 3:
		return double{-cos.hi, -cos.lo}, sin
	}
	return sin, cos
}

// Asin is the arc sine in radians.
func Asin(x float64) float64 {
	if math.Abs(x) < tiny || !(math.Abs(x) <= 1) {
		return math.Asin(x)
	}
	return angle(double{x, 0}, across(x))
}

// Acos is the arc cosine in radians.
func Acos(x float64) float64 {
	if !(math.Abs(x) <= 1) {
		return math.Acos(x)
	}
	return angle(across(x), double{x, 0})
}

// across is the square root of 1 - x².
func across(x float64) double { return one.minus(product(x, x)).root() }

// Atan is the arc tangent in radians.
func Atan(x float64) float64 { return Atan2(x, 1) }

// Atan2 is the angle of the point (x, y) in radians.
func Atan2(y, x float64) float64 {
	switch q := math.Abs(y / x); {
	case x == 0, y == 0, x != x, y != y, math.IsInf(x, 0), math.IsInf(y, 0), q > 1/tiny/tiny:
		return math.Atan2(y, x) // a special case with an exact result
	case q < tiny && x > 0:
		return y / x
	}
	_, n := math.Frexp(max(math.Abs(x), math.Abs(y)))
	return angle(double{math.Ldexp(y, -n), 0}, double{math.Ldexp(x, -n), 0})
}

// angle is the result of Go's math package, improved by one correction step.
func angle(y, x double) float64 {
	near := math.Atan2(y.hi, x.hi)
	sin, cos := sincos(near)
	off := y.times(cos).minus(x.times(sin)).over(x.times(cos).plus(y.times(sin)))
	return sum(near, off.hi).hi
}
