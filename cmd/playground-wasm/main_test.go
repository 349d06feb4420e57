package main_test

import (
	"os"
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	os.Exit(built.Tests{M: m, Files: []string{"../../static/dist/worker.js", "../../static/dist/playground.wasm.gz", "../../bin/wasm/flags"}}.Run())
}
