package lessons_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"lockstep/lessons"
)

// Every code has its text in Codes, in the order of the constants.
func TestEveryCodeIsListed(t *testing.T) {
	source, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared, listed []lessons.Code
	for _, m := range regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
		declared = append(declared, lessons.Code(m[1]))
	}
	for _, c := range lessons.Codes {
		listed = append(listed, c.Code)
	}
	if !slices.Equal(declared, listed) {
		t.Errorf("the constants are\n%v, and listed are\n%v", declared, listed)
	}
}
