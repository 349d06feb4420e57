package luaexec

import (
	"regexp"
	"strings"
)

// sayings are the messages of gopher-lua that Lua 5.1 words in another way.
var sayings = strings.NewReplacer(
	"for statement init must be", "'for' initial value must be",
	"for statement limit must be", "'for' limit must be",
	"for statement step must be", "'for' step must be",
	"registry overflow", "stack overflow",
)

var (
	arithmeticFailure = regexp.MustCompile(`cannot perform \w+ operation between (\w+) and (\w+)$`)
	indexFailure      = regexp.MustCompile(`attempt to index a non-table object\((\w+)\) with key '.*'$`)
	compareFailure    = regexp.MustCompile(`attempt to compare (\w+) with (\w+)$`)
)

// asLuaSays words a message as Lua 5.1 does, as far as the message tells: which
// variable held the wrong value is lost.
func asLuaSays(message string) string {
	message = sayings.Replace(message)
	switch {
	case strings.Contains(message, "cannot perform"):
		return arithmeticFailure.ReplaceAllStringFunc(message, func(m string) string {
			types := arithmeticFailure.FindStringSubmatch(m)
			culprit := types[1]
			if culprit == "number" {
				culprit = types[2]
			}
			return "attempt to perform arithmetic on a " + culprit + " value"
		})
	case strings.Contains(message, "attempt to index a non-table"):
		return indexFailure.ReplaceAllString(message, "attempt to index a $1 value")
	case strings.Contains(message, "attempt to compare"):
		return compareFailure.ReplaceAllStringFunc(message, func(m string) string {
			if types := compareFailure.FindStringSubmatch(m); types[1] == types[2] {
				return "attempt to compare two " + types[1] + " values"
			}
			return m
		})
	}
	return message
}
