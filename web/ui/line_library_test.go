package ui

import "testing"

// What a program has required is no variable of its own.
func TestLibrariesAreNoVariables(t *testing.T) {
	for value, want := range map[string]bool{
		"{begin = function, commit = function}": true,
		"{begin = function, … 3 more}":          true,
		"{begin = function, name = \"db\"}":     false,
		"{}":                                    false,
		"function":                              false,
		"{1, 2, 3}":                             false,
	} {
		if got := isLibrary(value); got != want {
			t.Errorf("%s is a library: %v", value, got)
		}
	}
}
