package main

import (
	"fmt"
	"os"
	"strings"
)

// explained reads a list of changes that no test can or should notice, with the
// reason of each:
//
//	engine/timers.go timers.due
//	- for n > 0 {
//	+ for n >= 0 {
//	Nothing is at 0: …
//
// An empty line is between two of them, and a line that begins with # is a comment.
func explained(path string) (reasons map[string]string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reasons = map[string]string{}
	var block []string
	for i, line := range append(strings.Split(string(text), "\n"), "") {
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case line != "":
			block = append(block, line)
			continue
		case len(block) == 0:
			continue
		}
		if len(block) < 4 || !strings.HasPrefix(block[1], "- ") || !strings.HasPrefix(block[2], "+") {
			return nil, fmt.Errorf("%s:%d: above are not a file with its function, a line with -, one with +, and a reason", path, i+1)
		}
		c := change{file: block[0], was: block[1][2:], would: strings.TrimPrefix(block[2][1:], " ")}
		c.file, c.in, _ = strings.Cut(block[0], " ")
		reasons[c.id()] = strings.Join(block[3:], " ")
		block = nil
	}
	return reasons, nil
}

// block is how a change stands in the list, without its reason.
func (c change) block() string {
	return strings.TrimSpace(c.file+" "+c.in) + "\n- " + c.was + "\n" + strings.TrimSpace("+ "+c.would)
}
