package highlight

import (
	"regexp"
	"strings"
)

var (
	// token is a word of a command, or what stands between two of them.
	token = regexp.MustCompile(`\s+|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[^\s"']+`)

	number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	option = regexp.MustCompile(`^[A-Z]{2,}$`) // NX, WITHSCORES
)

// Command splits a command, which stands in one line, into tokens.
func Command(line string) []Token {
	var l lines
	for i, t := range token.FindAllString(line, -1) {
		l.add(commandClass(t, i == 0), t)
	}
	return l.all()[0]
}

func commandClass(t string, first bool) string {
	switch {
	case first:
		return Redis
	case strings.ContainsAny(t[:1], `"'`):
		return String
	case number.MatchString(t):
		return Number
	case option.MatchString(t):
		return Keyword
	}
	return ""
}
