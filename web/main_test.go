package web

import (
	"os"
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	os.Exit(built.Tests{M: m, Files: []string{"../static/dist/main.js", "../static/dist/playground.wasm.gz"}}.Run())
}
