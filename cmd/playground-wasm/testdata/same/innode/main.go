// Command innode does one thing of package same: innode traces, innode scripts.
package main

import (
	"fmt"
	"io"
	"os"

	"lockstep/cmd/playground-wasm/testdata/same"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "innode:", err)
		os.Exit(1)
	}
}

func run() error {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	if os.Args[1] == "traces" {
		return same.Traces(input, os.Stdout)
	}
	return same.Scripts(input, os.Stdout)
}
