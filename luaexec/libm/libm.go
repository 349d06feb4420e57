// Package libm computes the mathematical functions of C with twice the precision of a
// float64, so that all but a few of a billion results are the nearest float64, on every
// platform. The results of Go's math package are off by one bit in a fifth of all cases,
// and differ between platforms, because some of them use assembly.
package libm

import "math"

// Numbers of twice the precision.
var (
	one = double{1, 0}
	ln2 = double{0.6931471805599453, 2.3190468138462996e-17}
)

// Exp is e^x.
func Exp(x float64) float64 {
	switch {
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x != x:
		return x
	}
	m, n := exp(double{x, 0})
	return math.Ldexp(m.hi, n)
}

// exp is e^x as m * 2^n.
func exp(x double) (m double, n int) {
	const terms, halvings = 13, 5
	k := math.Round(x.hi / ln2.hi)
	r := x.minus(ln2.times(double{k, 0})).scaled(-halvings)
	m = one
	for i := terms; i > 0; i-- {
		m = one.plus(r.times(m).over(double{float64(i), 0}))
	}
	for range halvings {
		m = m.times(m)
	}
	return m, int(k)
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if x <= 0 || x != x || x > math.MaxFloat64 {
		return math.Log(x)
	}
	return log(x).hi
}

// Log10 is the logarithm to base 10. Unlike the others it is computed as C libraries do it,
// from the logarithms of m and 2^n, so that it is off by a bit in the same cases.
func Log10(x float64) float64 {
	if x <= 0 || x != x || x > math.MaxFloat64 {
		return math.Log(x)
	}
	const (
		ofE          = 0.4342944819032518
		of2, of2Rest = 0x1.34413509f6p-2, 3.6942390771589308e-13
	)
	m, n := math.Frexp(x)
	if n > 0 {
		m, n = 2*m, n-1
	}
	part := float64(float64(n)*of2Rest) + float64(ofE*Log(m))
	return part + float64(float64(n)*of2)
}

// log is the logarithm of a positive number x = m * 2^n: that of m, by the series of
// 2 artanh((m-1)/(m+1)), plus n times that of 2.
func log(x float64) double {
	const terms = 22
	m, n := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, n = 2*m, n-1
	}
	s := sum(m, -1).over(sum(m, 1))
	square := s.times(s)
	series := double{}
	for i := terms; i >= 0; i-- {
		series = series.times(square).plus(one.over(double{float64(2*i + 1), 0}))
	}
	return s.times(series).scaled(1).plus(ln2.times(double{float64(n), 0}))
}

// Pow is x^y.
func Pow(x, y float64) float64 {
	size := math.Abs(x)
	switch {
	case x == 0, y == 0, x != x, y != y, math.IsInf(x, 0), math.Abs(y) >= 1<<63, x < 0 && y != math.Floor(y):
		return math.Pow(x, y) // a special case with an exact result
	}
	p := log(size).times(double{y, 0})
	result := 0.0
	switch {
	case p.hi > 710:
		result = math.Inf(1)
	case p.hi > -746:
		m, n := exp(p)
		result = math.Ldexp(m.hi, n)
	}
	if x < 0 && math.Mod(y, 2) != 0 {
		return -result
	}
	return result
}
