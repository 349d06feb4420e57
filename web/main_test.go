package web

import (
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	built.Run(m, "../static/dist/main.js", "../static/dist/playground.wasm.gz")
}
