package lua

import "math"

// double is a number of about 106 bits: the sum of two floats. With it, powers,
// exponentials and logarithms come out as C's library rounds them, and the same
// on every platform: Go's own differ in the last bit.
type double struct{ hi, lo float64 }

func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func product(a, b float64) double {
	p := a * b
	return double{p, math.FMA(a, b, -p)}
}

func (d double) plus(e double) double {
	s := sum(d.hi, e.hi)
	return sum(s.hi, s.lo+d.lo+e.lo)
}

func (d double) times(e double) double {
	p := product(d.hi, e.hi)
	return sum(p.hi, p.lo+float64(d.hi*e.lo)+float64(d.lo*e.hi))
}

func (d double) scaled(f float64) double { return double{d.hi * f, d.lo * f} }

func (d double) over(e double) double {
	q := d.hi / e.hi
	p := product(q, e.hi)
	return sum(q, ((d.hi-p.hi)-p.lo+d.lo-float64(q*e.lo))/e.hi)
}

var (
	ln2  = double{0.6931471805599453, 2.3190468138462996e-17}
	ln10 = double{2.302585092994046, -2.1707562233822494e-16}
)

// exponential is e^d as a fraction and a power of two.
func exponential(d double) (double, int) {
	k := math.Round(d.hi / math.Ln2)
	r := d.plus(ln2.times(double{-k, 0}))
	const halvings = 6
	r = r.scaled(1.0 / (1 << halvings))
	// e^r - 1 by its series, then squared as often as r was halved.
	term, total := r, r
	for n := 2.0; n < 14; n++ {
		term = term.times(r).over(double{n, 0})
		total = total.plus(term)
	}
	for range halvings {
		total = total.scaled(2).plus(total.times(total))
	}
	return total.plus(double{1, 0}), int(k)
}

// logarithm is ln x of a finite x > 0: a first guess, corrected once.
func logarithm(x float64) double {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	guess := math.Log(fraction)
	e, k := exponential(double{-guess, 0})
	rest := e.times(double{math.Ldexp(fraction, k), 0}).plus(double{-1, 0})
	// ln(1 + rest), where rest is about 1e-16.
	correction := rest.plus(rest.times(rest).scaled(-0.5))
	return double{guess, 0}.plus(correction).plus(ln2.times(double{float64(exponent), 0}))
}

func ordinary(x float64) bool { return x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) }

// Pow is C's pow.
func Pow(x, y float64) float64 {
	if !ordinary(x) || !ordinary(y) || x == 1 || math.Abs(y) > 1<<60 || x < 0 && y != math.Trunc(y) {
		return math.Pow(x, y)
	}
	if x < 0 && math.Mod(y, 2) != 0 {
		return -power(-x, y)
	}
	return power(math.Abs(x), y)
}

func power(x, y float64) float64 {
	fraction, exponent := math.Frexp(x)
	if fraction == 0.5 { // a power of two stays one
		if e := float64(exponent-1) * y; e == math.Trunc(e) && math.Abs(e) < 1<<20 {
			return math.Ldexp(1, int(e))
		}
	}
	d := logarithm(x).times(double{y, 0})
	switch {
	case d.hi > 710:
		return math.Inf(1)
	case d.hi < -746:
		return 0
	}
	if n := math.Abs(y); n == math.Trunc(n) && n <= 64 && math.Abs(d.hi) < 600 {
		return wholePower(x, y)
	}
	e, k := exponential(d)
	return math.Ldexp(e.hi, k)
}

// wholePower multiplies, which keeps results exact that are.
func wholePower(x, y float64) float64 {
	r, square := double{1, 0}, double{x, 0}
	for n := int(math.Abs(y)); n > 0; n >>= 1 {
		if n&1 == 1 {
			r = r.times(square)
		}
		if n > 1 {
			square = square.times(square)
		}
	}
	if y < 0 {
		r = double{1, 0}.over(r)
	}
	return r.hi
}

// Exp is C's exp.
func Exp(x float64) float64 {
	if !ordinary(x) || x > 710 || x < -746 {
		return math.Exp(x)
	}
	e, k := exponential(double{x, 0})
	return math.Ldexp(e.hi, k)
}

// Log is C's log.
func Log(x float64) float64 {
	if !ordinary(x) || x < 0 {
		return math.Log(x)
	}
	return logarithm(x).hi
}

// Log10 is C's log10.
func Log10(x float64) float64 {
	if !ordinary(x) || x < 0 {
		return math.Log10(x)
	}
	return logarithm(x).over(ln10).hi
}
