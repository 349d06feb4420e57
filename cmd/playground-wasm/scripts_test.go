package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// answers are what scripts answer natively and in Node, which must be the same.
func answers(t *testing.T, scripts []string) []string {
	t.Helper()
	input, err := json.Marshal(scripts)
	if err != nil {
		t.Fatal(err)
	}
	native, inNode := onBoth(t, "scripts", input)
	if len(native) != len(scripts) {
		t.Fatalf("%d answers to %d scripts", len(native), len(scripts))
	}
	for i, script := range scripts {
		if native[i] != inNode[i] {
			t.Errorf("%.200s\n in Node  %.300s\n natively %.300s", script, inNode[i], native[i])
		}
	}
	return native
}

// Go's own functions of math are in assembly on some platforms, with other last digits.
func TestNumbersAreTheSameInNode(t *testing.T) {
	var scripts []string
	for _, f := range []string{
		"math.exp(x)", "math.log(x * x)", "math.log10(x * x)", "math.sin(x)", "math.cos(x)", "math.tan(x)", "math.asin(x / 300)", "math.acos(x / 300)", "math.atan(x)",
		"math.sinh(x)", "math.cosh(x)", "math.tanh(x / 100)", "math.sqrt(x * x)", "math.atan2(x, 7)", "math.fmod(x, 7)", "x % 7", "x ^ 3", "2 ^ x", "(x * x) ^ 0.3", "1.5 ^ i",
		"x * x - 1 / x", "x / 7 * 7", "math.deg(x)", "math.rad(x)", "math.random()", "math.ldexp(x, 3)", "tonumber(tostring(x))",
	} {
		scripts = append(scripts, fmt.Sprintf("local t = {} for i = 1, 500 do local x = (i - 250.5) * 1.1 t[i] = string.format('%%.17g', %s) end return table.concat(t, ' ')", f))
	}
	for i, answer := range answers(t, scripts) {
		if strings.Count(answer, " ") != 499 {
			t.Errorf("%s\n answers %.200s", scripts[i], answer)
		}
	}
}
