//go:build unix

package conversations

import (
	"syscall"
	"testing"
	"time"
)

// ProcessorTime is what this process has used of its processors, the collector included: on a
// machine that does other things it tells more than the time that has passed.
func ProcessorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
