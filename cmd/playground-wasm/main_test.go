package main_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	if runtime.GOOS == "js" {
		if err := inNode(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(built.Tests{M: m, Files: []string{"../../static/dist/worker.js", "../../static/dist/playground.wasm.gz", "../../bin/wasm/flags"}}.Run())
}
