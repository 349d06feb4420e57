package lessons

import (
	"strings"
	"testing"
)

// Whoever writes a lesson may give a long product a name, and multiply by it again and again: what is read for spans grows by none of that.
func TestATextDoesNotGrowByTheNumbersItNames(t *testing.T) {
	text := "a = " + strings.Repeat("1 * ", 10_000) + "1 " + strings.Repeat("* a ", 10_000)
	if got := len(withNumbers(text)); got > len(text) {
		t.Errorf("a text of %d bytes has %d with its numbers", len(text), got)
	}
	if got := withNumbers("local minute = 60 * 1000 e > 4 * minute and minute / 3"); got != "local minute = 60 * 1000 e > 4 * 60000 and minute / 3" {
		t.Errorf("it reads %q", got)
	}
}
