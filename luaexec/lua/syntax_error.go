package lua

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// SyntaxError says why a source does not compile.
type SyntaxError struct {
	Chunk   string // as messages show it
	Line    int    // from 1
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message) }

var nearToken = regexp.MustCompile(`near '(.+)'$`)

// Columns are where, in the text of its line, the word begins and ends that the
// message names: 1 is the first character. When that is not clear it is where the
// line begins, and end is 0.
func (e *SyntaxError) Columns(line string) (from, end int) {
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	if m := nearToken.FindStringSubmatch(e.Message); m != nil && strings.Count(line, m[1]) == 1 {
		at = strings.Index(line, m[1])
		end = 1 + utf8.RuneCountInString(line[:at+len(m[1])])
	}
	return 1 + utf8.RuneCountInString(line[:at]), end
}
