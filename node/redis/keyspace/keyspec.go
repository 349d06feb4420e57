package keyspace

import (
	"slices"
	"strings"
)

// keySpec says which arguments are keys (or channels, for a PubSub command): first to last
// in steps, where a negative last counts from the end, and those that more finds. The zero
// keySpec means no keys.
type keySpec struct {
	first, last, step int
	more              moreKeys
	at                int // index at which more begins to look
}

// moreKeys is a way to find keys whose places depend on the arguments.
type moreKeys uint8

const (
	noMore    moreKeys = iota
	counted            // the argument at is their number, and they follow it
	afterWord          // the first half of the arguments after STREAMS
)

var (
	noKeys   = keySpec{}
	oneKey   = keySpec{first: 1, last: 1, step: 1}
	twoKeys  = keySpec{first: 1, last: 2, step: 1}
	allKeys  = keySpec{first: 1, last: -1, step: 1}
	keyPairs = keySpec{first: 1, last: -1, step: 2}
	// keysBefore leaves out the timeout at the end.
	keysBefore = keySpec{first: 1, last: -2, step: 1}
)

// numberedKeys are keys with their number before them, at an argument.
func numberedKeys(at int) keySpec { return keySpec{more: counted, at: at} }

func (s keySpec) positions(args []string) []int {
	var at []int
	if s.step > 0 {
		last := s.last
		if last < 0 {
			last += len(args)
		}
		for i := s.first; i <= last && i < len(args); i += s.step {
			at = append(at, i)
		}
	}
	switch s.more {
	case noMore:
	case counted:
		if s.at < len(args) {
			n, _ := ParseInt(args[s.at])
			for i := s.at + 1; i < len(args) && int64(i-s.at) <= n; i++ {
				at = append(at, i)
			}
		}
	case afterWord:
		word := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(a, "streams") })
		for i := range max(0, len(args)-word-1) / 2 {
			if word > 0 {
				at = append(at, word+1+i)
			}
		}
	}
	return at
}
