package real

import (
	"encoding/binary"
	"errors"
)

// message is what is sent, in the encoding of ZooKeeper.
type message []byte

func (m message) int(v int32) message   { return binary.BigEndian.AppendUint32(m, uint32(v)) }
func (m message) long(v int64) message  { return binary.BigEndian.AppendUint64(m, uint64(v)) }
func (m message) text(s string) message { return append(m.int(int32(len(s))), s...) }
func (m message) texts(all []string) message {
	m = m.int(int32(len(all)))
	for _, s := range all {
		m = m.text(s)
	}
	return m
}

func (m message) bool(b bool) message {
	if b {
		return append(m, 1)
	}
	return append(m, 0)
}

// answer is what came, as far as it was not read. Reading beyond its end is noted, and reads
// nothing.
type answer struct {
	rest []byte
	bad  bool
}

var errGarbled = errors.New("an answer ends too soon")

func (a *answer) err() error {
	if a.bad {
		return errGarbled
	}
	return nil
}

func (a *answer) take(n int) []byte {
	if n < 0 || n > len(a.rest) {
		a.rest, a.bad = nil, true
		return make([]byte, max(0, min(n, 8)))
	}
	taken := a.rest[:n]
	a.rest = a.rest[n:]
	return taken
}

func (a *answer) int() int32  { return int32(binary.BigEndian.Uint32(a.take(4))) }
func (a *answer) long() int64 { return int64(binary.BigEndian.Uint64(a.take(8))) }

// text is empty also where there is none.
func (a *answer) text() string { return string(a.take(max(0, int(a.int())))) }

func (a *answer) texts() []string {
	var all []string
	for range a.int() {
		if a.bad {
			break
		}
		all = append(all, a.text())
	}
	return all
}

// stat is what ZooKeeper says of a znode besides its data.
type stat struct {
	czxid, mzxid int64
	version      int32
	owner        int64 // the session of an ephemeral one; 0: it is none
}

func (a *answer) stat() stat {
	s := stat{czxid: a.long(), mzxid: a.long()}
	a.take(8 + 8) // when it was made and written by the server's clock
	s.version = a.int()
	a.take(4 + 4) // how often its children and its access list changed
	s.owner = a.long()
	a.take(4 + 4 + 8) // bytes, children, and the last write to the list of children
	return s
}
