package redistest

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// tooLong is for how long, in real time, a run may make no step: a step takes microseconds.
const tooLong = 20 * time.Second

// watch names the goroutines of the code under test that wait for something outside of their
// bubble, such as a real socket: time stands still for as long as they do, and so does the
// run. It ends the program, as they cannot be ended.
func watch(progress *atomic.Int64, tooLong time.Duration, complain func(string)) (stop func()) {
	done := make(chan struct{})
	go func() {
		last := progress.Load()
		for {
			select {
			case <-done:
				return
			case <-time.After(tooLong):
			}
			now := progress.Load()
			if now == last {
				complain(fmt.Sprintf("redistest: the run has made no step for %v: what follows waits for something outside of the bubble that the run knows of\n\n%s", tooLong, blockers()))
				return
			}
			last = now
		}
	}()
	return func() { close(done) }
}

// blockers are the stacks of the goroutines in bubbles that hold time up.
func blockers() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var held []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		head, _, _ := strings.Cut(stack, "\n")
		if strings.Contains(head, "synctest bubble") && !strings.Contains(head, "durable") {
			held = append(held, stack)
		}
	}
	return strings.Join(held, "\n\n")
}
