package libm

import (
	"math"
	"testing"
)

// What has a result by rule has that of Go, and what C's libraries have: zeros with
// their signs, infinities, and numbers that are none.
func TestRules(t *testing.T) {
	of1 := map[string][2]func(float64) float64{
		"exp": {Exp, math.Exp}, "log": {Log, math.Log}, "log10": {Log10, math.Log10},
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, 1e-200, math.MaxFloat64, -math.MaxFloat64, 1e20, math.Inf(1), math.Inf(-1), math.NaN()}
	for name, f := range of1 {
		for _, x := range special {
			if got, want := f[0](x), f[1](x); !near(got, want) {
				t.Errorf("%s(%v) is %v, want %v", name, x, got, want)
			}
		}
	}
	for name, f := range map[string][2]func(x, y float64) float64{"pow": {Pow, math.Pow}} {
		for _, x := range special {
			for _, y := range special {
				if got, want := f[0](x, y), f[1](x, y); !near(got, want) {
					t.Errorf("%s(%v, %v) is %v, want %v", name, x, y, got, want)
				}
			}
		}
	}
}

// Go's own logarithm has no idea of the smallest numbers on some platforms.
func TestTheSmallestNumbers(t *testing.T) {
	if got := Log(5e-324); got != -744.4400719213812 {
		t.Errorf("log(5e-324) is %v", got)
	}
	if got := Exp(-744.4400719213812); got != 5e-324 {
		t.Errorf("e^-744.44 is %v", got)
	}
	if got := Pow(2, -1074); got != 5e-324 {
		t.Errorf("2^-1074 is %v", got)
	}
}

// near is the same, or what rounding may make of it.
func near(got, want float64) bool {
	if got != got || want != want {
		return got != got && want != want
	}
	if got == want {
		return math.Signbit(got) == math.Signbit(want)
	}
	return math.Abs(got-want) < 1e-14*math.Abs(want)
}

// Results that are numbers are exact.
func TestExactResults(t *testing.T) {
	for n := -1022; n <= 1023; n++ {
		if got, want := Pow(2, float64(n)), math.Ldexp(1, n); got != want {
			t.Errorf("2^%d is %v", n, got)
		}
	}
	power := 1.0
	for n := range 23 {
		if got := Pow(10, float64(n)); got != power {
			t.Errorf("10^%d is %v, want %v", n, got, power)
		}
		if got := Log10(power); got != float64(n) {
			t.Errorf("log10(%v) is %v", power, got)
		}
		power *= 10
	}
	for _, x := range []float64{3, 5, 7, 9, 11, 1.5, 0.75} {
		if got := Pow(x*x, 0.5); got != x {
			t.Errorf("the root of %v is %v", x*x, got)
		}
	}
}
