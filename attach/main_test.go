package attach_test

import (
	"testing"

	"lockstep/static/built"
)

func TestMain(m *testing.M) {
	built.Run(m, "testdata/node/node_modules/.package-lock.json")
}
