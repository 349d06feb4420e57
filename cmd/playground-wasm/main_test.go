package main_test

import (
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	built.Run(m, "../../static/dist/worker.js", "../../static/dist/playground.wasm.gz", "../../bin/wasm/flags", "testdata/same/innode/main.go")
}
