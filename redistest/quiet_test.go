package redistest

import "testing"

// A disk that takes a second for the story so far is nothing that the code under test waits for.
func TestASlowDiskIsNotOutside(t *testing.T) {
	for stack, outside := range map[string]bool{
		"goroutine 9 [syscall, synctest bubble 7]:\nsyscall.pwrite()\nlockstep/redistest.(*diary).plan(...)": false,
		"goroutine 9 [syscall, synctest bubble 7]:\nsyscall.read()\nos.(*File).Read()":                       true,
		"goroutine 9 [IO wait, synctest bubble 7]:\ninternal/poll.(*FD).Read()":                              true,
	} {
		g := goroutines{}
		if g.add(stack); (len(g.outside) == 1) != outside || len(g.outside)+len(g.running) != 1 {
			t.Errorf("%+v", g)
		}
	}
}
