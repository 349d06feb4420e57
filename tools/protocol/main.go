// Command protocol makes the types of the messages between the page and the player, for the
// page's modules, of those that the player has in Go.
//
//	go run -C tools ./protocol ..
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// target is the file that is made, in the repository.
const target = "static/types/protocol.d.ts"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: protocol REPOSITORY")
		os.Exit(2)
	}
	text, err := declarations(os.Args[1])
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[1], target), []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "protocol:", err)
		os.Exit(1)
	}
}
