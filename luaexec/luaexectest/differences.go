package luaexectest

import (
	"regexp"
	"slices"
	"strconv"
)

// Difference is something in which the embedded Redis answers otherwise than a
// server, on purpose or because nobody has found how to do better. docs/REDIS.md
// is made from them. A comparison with a server excuses what one of them matches,
// and nothing else.
type Difference struct {
	Topic  Topic
	Server string // "Redis", "Valkey", or nothing for both
	What   string
	Reason string

	// Regular expressions of the script or the command, of the server's answer and
	// of our own. Those that are there must all match.
	Sent, Theirs, Ours string

	// Common brings both answers to what must be the same in them, if it is there.
	Common func(answer string) string

	// What no comparison meets has the names of commands that are not there, one of
	// them and its subcommand as in COMMAND LIST, or the name of the test that pins it.
	Absent string
	Test   string
}

// Topic is what a difference is about.
type Topic string

// The topics.
const (
	Scripts  Topic = "scripts"
	Commands Topic = "commands"
	Port     Topic = "the port"
)

// AsRedis70 is the reason of most differences from Valkey.
const AsRedis70 = "the embedded Redis answers as Redis 7.0 does"

// Differences are all of them.
var Differences = slices.Concat(scriptDifferences, commandDifferences, portDifferences)

// shortNumbers has every number of an answer printed in its shortest form.
func shortNumbers(answer string) string { return printNumbers(answer, number, -1) }

// roundedNumbers has the fractions of an answer printed without their last digits.
func roundedNumbers(answer string) string { return printNumbers(answer, fraction, 12) }

func printNumbers(answer string, which *regexp.Regexp, precision int) string {
	return which.ReplaceAllStringFunc(answer, func(text string) string {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(f, 'g', precision, 64)
	})
}

var (
	number   = regexp.MustCompile(`-?\d+(\.\d+)?(e[+-]?\d+)?`)
	fraction = regexp.MustCompile(`-?\d+(\.\d+(e[+-]?\d+)?|e[+-]?\d+)`)
)
