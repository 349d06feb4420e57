package luaexec

import (
	"fmt"
	"strings"
)

// Flags are what the first line of a script says of it.
type Flags uint8

// The flags.
const (
	Declared Flags = 1 << iota // there is such a line
	NoWrites
	AllowOOM
	NoCluster
	CrossSlots
	noDifference // a replica that has lost its leader answers all the same
)

var flagNames = map[string]Flags{
	"no-writes":             NoWrites,
	"allow-oom":             AllowOOM,
	"allow-stale":           noDifference,
	"no-cluster":            NoCluster,
	"allow-cross-slot-keys": CrossSlots,
}

// cutShebang takes the line "#!lua flags=…" off a source, but not its line break,
// so that lines keep their numbers. Its error is what Redis answers.
func cutShebang(source string) (body string, flags Flags, err error) {
	if !strings.HasPrefix(source, "#!") {
		return source, 0, nil
	}
	line, _, ok := strings.Cut(source, "\n")
	if !ok || strings.Contains(line, "\x00") {
		return "", 0, fmt.Errorf("Invalid script shebang") //nolint:staticcheck // Redis's words
	}
	words := strings.Fields(line) // Redis would also take quotes off
	if words[0] != "#!lua" {
		return "", 0, fmt.Errorf("Unexpected engine in script shebang: %s", words[0]) //nolint:staticcheck // Redis's words
	}
	flags = Declared
	for _, word := range words[1:] {
		names, ok := strings.CutPrefix(word, "flags=")
		if !ok {
			return "", 0, fmt.Errorf("Unknown lua shebang option: %s", word) //nolint:staticcheck // Redis's words
		}
		if names == "" {
			continue
		}
		for name := range strings.SplitSeq(names, ",") {
			flag := flagNames[name]
			if flag == 0 {
				return "", 0, fmt.Errorf("Unexpected flag in script shebang: %s", name) //nolint:staticcheck // Redis's words
			}
			flags |= flag
		}
	}
	return source[len(line):], flags, nil
}

// MayWrite tells whether a script has such a line, by which it may write.
func MayWrite(source string) bool {
	_, flags, err := cutShebang(source)
	return err == nil && flags&(Declared|NoWrites) == Declared
}

// ReadsOnly tells whether a script says of itself that it does not write.
func ReadsOnly(source string) bool {
	_, flags, err := cutShebang(source)
	return err == nil && flags&NoWrites != 0
}
