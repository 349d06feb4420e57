// Package conversations is what tests of several packages share about Redis: commands drawn at random, what
// real servers are known to answer differently, and those servers. Its own tests are the contract that every
// engine.Node on Redis keeps: one suite of cases, run on each kind of node and compared with what Redis 7.0
// answers.
package conversations

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
)

// Difference is a way in which the embedded Redis answers differently from a real
// server, on purpose or as a known limitation. docs/REDIS.md is generated from the
// list. A comparison with a server accepts a mismatch only if a Difference explains it.
type Difference struct {
	Topic  Topic
	Server string // "Valkey"; empty: both
	What   string
	Reason string // AsRedis70 where a difference from Valkey has no other

	// Regular expressions for the script or command, the server's answer and our own.
	// All that are not empty must match.
	Sent, Theirs, Ours string

	// Common, if set, reduces an answer to the part in which both must agree.
	Common func(answer string) string

	// A difference that no comparison can meet instead names the commands that are
	// missing, separated by blanks (subcommands as in COMMAND LIST: "acl|cat"), or the
	// test that pins it.
	Absent string
	Test   string
}

// Topic is the area that a difference belongs to.
type Topic string

// The topics.
const (
	Scripts  Topic = "scripts"
	Commands Topic = "commands"
	Port     Topic = "the port"
)

// AsRedis70 is the reason for most differences from Valkey.
const AsRedis70 = "the embedded Redis answers as Redis 7.0 does"

// Differences lists every known difference.
var Differences = slices.Concat(
	of(Scripts, "", scriptDifferences), of(Scripts, "Valkey", scriptDifferencesFromValkey),
	of(Commands, "", commandDifferences), of(Commands, "Valkey", commandDifferencesFromValkey),
	of(Port, "", portDifferences), of(Port, "Valkey", portDifferencesFromValkey),
)

func of(topic Topic, server string, all []Difference) []Difference {
	for i := range all {
		all[i].Topic, all[i].Server = topic, server
		all[i].Reason = cmp.Or(all[i].Reason, AsRedis70)
	}
	return all
}

// shortNumbers prints every number of an answer in its shortest form.
func shortNumbers(answer string) string { return printNumbers(answer, number, -1) }

// roundedNumbers prints the fractions of an answer without their last digits.
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
