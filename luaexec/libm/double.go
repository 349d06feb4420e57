package libm

import "math"

// double is a number with twice the precision of a float64: the sum of two float64, the
// second of which is at most half a unit in the last place of the first. The arithmetic is
// that of Dekker and Knuth. The conversions to float64 keep compilers from fusing a product
// with a sum, which only some platforms do.
type double struct{ hi, lo float64 }

// sum is a + b, exactly.
func sum(a, b float64) double {
	s := a + b
	rest := s - a
	return double{s, (a - (s - rest)) + (b - rest)}
}

// product is a * b, exactly.
func product(a, b float64) double {
	p := float64(a * b)
	return double{p, math.FMA(a, b, -p)}
}

// normal is hi + lo where hi is the larger one.
func normal(hi, lo float64) double {
	s := hi + lo
	return double{s, lo - (s - hi)}
}

func (a double) plus(b double) double {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = normal(s.hi, s.lo+t.hi)
	return normal(s.hi, s.lo+t.lo)
}

func (a double) minus(b double) double { return a.plus(double{-b.hi, -b.lo}) }

func (a double) times(b double) double {
	p := product(a.hi, b.hi)
	return normal(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a double) over(b double) double {
	q := a.hi / b.hi
	rest := a.minus(b.times(double{q, 0}))
	r := rest.hi / b.hi
	rest = rest.minus(b.times(double{r, 0}))
	return normal(q, r).plus(double{rest.hi / b.hi, 0})
}

// scaled is a * 2^n.
func (a double) scaled(n int) double { return double{math.Ldexp(a.hi, n), math.Ldexp(a.lo, n)} }
