package sha256

import (
	"bytes"
	real "crypto/sha256"
	"testing"
)

func TestSumsAreThoseOfTheStandardLibrary(t *testing.T) {
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n), 0xa5, 7}, n)[:n]
		if got, want := Sum256(data), real.Sum256(data); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
