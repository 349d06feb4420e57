package attach_test

import (
	"os"
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	os.Exit(built.Tests{M: m, Files: []string{"testdata/node/node_modules/.package-lock.json"}}.Run())
}
