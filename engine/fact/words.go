package fact

import (
	_ "embed"
	"slices"
	"strings"
)

// Language is a language of facts.
type Language int

// The languages: errors, traces and the command line speak English, pages both.
const (
	English Language = iota
	Chinese
	languages
)

// words are formats of package fmt, by code and language.
var words = map[string][languages]string{}

// What stands between names.
var and, or, comma = [languages]string{" and ", " 和 "}, [languages]string{" or ", " 或 "}, [languages]string{", ", "、"}

//go:embed words.txt
var ofAll string

func init() { read(ofAll) }

// read adds the words of a text that is written as words.txt is, each of whose codes must be new.
func read(text string) {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return line == "" || line[0] == '#' })
	for row := range slices.Chunk(lines, 1+int(languages)) {
		var told [languages]string
		for l, line := range row[1:] {
			told[l] = strings.TrimPrefix(line, "\t")
		}
		if _, twice := words[row[0]]; twice || row[0][0] == '\t' || len(row) != 1+len(told) || slices.Contains(told[:], "") {
			panic("fact: words that cannot be read at " + strings.Join(row, ", "))
		}
		words[row[0]] = told
	}
}
