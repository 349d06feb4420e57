package sha1

import (
	"bytes"
	real "crypto/sha1"
	"testing"
)

func TestSumsAreThoseOfTheStandardLibrary(t *testing.T) {
	for n := range 300 {
		data := bytes.Repeat([]byte{byte(n), 0xa5, 7}, n)[:n]
		if got, want := Sum(data), real.Sum(data); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
