package lessons

import (
	"strings"
	"testing"
)

func TestTheNameThatWasMeant(t *testing.T) {
	known := []string{"reply", "holds", "status", "invariants", "goodbye", "status2"}
	for name, want := range map[string]string{
		"rr":                        "",       // anything would be close
		"rep":                       "",       // two letters are much in a short name
		"repl":                      "reply",  // one is not
		"erply":                     "reply",  // swapped
		"rpeyl":                     "",       // twice
		"statsu":                    "status", // swapped at the end; the first of two that are as close
		"STATUS":                    "status",
		"stasuts":                   "status",
		"invarinats":                "invariants",
		"inviarinats":               "invariants",
		"xxinvarixnts":              "",
		"hodbye":                    "goodbye",
		"":                          "",
		strings.Repeat("status", 7): "",
	} {
		if got := Closest(name, known); got != want {
			t.Errorf("%q is taken for %q, want %q", name, got, want)
		}
	}
	if got := Closest("unlock", []string{"try-to-unlock", "locked"}); got != "" {
		t.Errorf("the end of a longer name is taken for %q", got)
	}
	if got := Closest("statusx", []string{"status1", "status2"}); got != "status1" {
		t.Errorf("of two that are as close, %q is meant", got)
	}
}

func TestCharactersOfTwoColumns(t *testing.T) {
	for _, of := range []struct{ first, last rune }{
		{0x1100, 0x115F},
		{0x2E80, 0xA4CF},
		{0xAC00, 0xD7A3},
		{0xF900, 0xFAFF},
		{0xFE30, 0xFE6F},
		{0xFF00, 0xFF60},
		{0xFFE0, 0xFFE6},
		{0x1F300, 0x1FAFF},
		{0x20000, 0x3FFFD},
	} {
		if !wide(of.first) || !wide(of.last) || wide(of.first-1) || wide(of.last+1) {
			t.Errorf("the range from %X to %X has other ends", of.first, of.last)
		}
	}
}
