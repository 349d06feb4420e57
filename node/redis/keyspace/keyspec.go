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
	storedTo           // the argument after the last STORE
	ofSubject          // the argument at, for some subcommands
)

var (
	noKeys   = keySpec{}
	oneKey   = keySpec{first: 1, last: 1, step: 1}
	twoKeys  = keySpec{first: 1, last: 2, step: 1}
	allKeys  = keySpec{first: 1, last: -1, step: 1}
	keyPairs = keySpec{first: 1, last: -1, step: 2}
	// keysBefore leaves out the timeout at the end.
	keysBefore = keySpec{first: 1, last: -2, step: 1}
	// operands are the keys of BITOP, after the operation.
	operands = keySpec{first: 2, last: -1, step: 1}
)

// numberedKeys are keys with their number before them, at an argument.
func numberedKeys(at int) keySpec { return keySpec{more: counted, at: at} }

// storeNumberedKeys is where to store, then the number of keys and the keys.
var storeNumberedKeys = keySpec{first: 1, last: 1, step: 1, more: counted, at: 2}

// canFind tells whether the arguments say clearly where more keys are.
func (s keySpec) canFind(args []string) bool {
	switch s.more {
	case counted:
		n, ok := parseInt(args[s.at])
		mayBeNone := strings.HasPrefix(strings.ToLower(args[0]), "eval")
		return ok && n < int64(len(args)-s.at) && (n > 0 || n == 0 && mayBeNone)
	case afterWord:
		return len(s.positions(args)) > 0
	case noMore, storedTo, ofSubject:
	}
	return true
}

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
			n, _ := parseInt(args[s.at])
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
	case storedTo:
		for i := len(args) - 2; i > s.at; i-- {
			if strings.EqualFold(args[i], "store") {
				return append(at, i+1)
			}
		}
	case ofSubject:
		if s.at < len(args) {
			at = append(at, s.at)
		}
	}
	return at
}
