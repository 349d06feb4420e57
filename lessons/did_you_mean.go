package lessons

import (
	"strings"
	"unicode/utf8"

	"lockstep/engine/fact"
)

// Closest is the name that was probably meant, or "" if none is close enough.
func Closest(name string, known []string) string {
	best, distance := "", 3
	switch n := utf8.RuneCountInString(name); {
	case n <= 2:
		return "" // anything would be close
	case n <= 5:
		distance = 2
	}
	for _, k := range known {
		if d := editDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete, change or swap between two names.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 || len(y) > 40 {
		return 40
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// Meant is the advice for a name that is not known.
func Meant(name string, known []string) fact.Fact {
	if best := Closest(name, known); best != "" {
		return fact.Of("lesson-did-you-mean", best)
	}
	if len(known) == 0 {
		return fact.Fact{}
	}
	return fact.Of("lesson-write-one-of", strings.Join(known, ", "))
}
