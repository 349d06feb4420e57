package real

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// packet is what a server sends as its nth of an answer.
func packet(n byte, payload []byte) []byte {
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	head[3] = n
	return append(head, payload...)
}

// greeting is that of a server that lets everybody in.
var greeting = packet(0, joined(
	[]byte{10}, []byte("10.11.0\x00"), []byte{1, 0, 0, 0}, []byte("saltsalt\x00"),
	[]byte{0xff, 0xf7, 33, 2, 0, 0xff, 0x80, 21}, make([]byte, 10), []byte("saltsaltsalt\x00"), []byte("mysql_native_password\x00"),
))

var welcome = packet(2, []byte{0, 0, 0, 2, 0, 0, 0})

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// speaks is a server that lets a client in and gives one answer to all that it asks.
func speaks(t testing.TB, first, answer []byte) (address string) {
	t.Helper()
	address = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				heard := make([]byte, 4096)
				for _, says := range [][]byte{first, welcome} {
					if _, err := c.Write(says); err != nil {
						return
					}
					if _, err := c.Read(heard); err != nil {
						return
					}
				}
				_, _ = c.Write(answer)
			}()
		}
	}()
	return address
}

// number is the answer to a question for one number, as a server gives it.
var number = joined(
	packet(1, []byte{1}),
	packet(2, joined([]byte("\x03def\x00\x00\x00\x01n\x00\x0c"), []byte{63, 0, 4, 0, 0, 0, 8, 1, 0, 0, 0, 0})),
	packet(3, []byte{0xfe, 0, 0, 2, 0}), packet(4, []byte("\x0242")), packet(5, []byte{0xfe, 0, 0, 2, 0}),
)

func TestAServerThatMakesSenseIsHeard(t *testing.T) {
	c, err := connect(t.Context(), speaks(t, greeting, number), "", time.Second)
	if err != nil || c.thread != 42 {
		t.Fatalf("the thread is %+v, %v", c, err)
	}
	c.hangUp()
}

// A length of -1 in an answer is an error of the line.
func TestAnAnswerWithALengthThatIsNoneIsAnError(t *testing.T) {
	wrong := bytes.Repeat([]byte{0xff}, 8)
	for name, answer := range map[string][]byte{
		"of columns": packet(1, append([]byte{0xfe}, wrong...)),
		"of a name":  joined(packet(1, []byte{1}), packet(2, joined([]byte("\x03def\x00\x00\x00\xfe"), wrong, make([]byte, 20)))),
		"of a value": joined(number[:len(number)-len("\x03\x00\x00\x04\x0242\x05\x00\x00\x05\xfe\x00\x00\x02\x00")], packet(4, append([]byte{0xfe}, wrong...))),
		"of nothing": packet(1, []byte{0xfc}),
	} {
		if c, err := connect(t.Context(), speaks(t, greeting, answer), "", time.Second); err == nil {
			t.Errorf("a length %s that is none makes the thread %d", name, c.thread)
		}
	}
	if _, err := connect(t.Context(), speaks(t, packet(0, []byte{10}), nil), "", time.Second); err == nil {
		t.Error("a greeting that is cut off is none")
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(greeting, number)
	f.Add(greeting[:20], []byte{})
	f.Add(greeting, joined(number[:5], []byte{9, 0, 0, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}))
	f.Fuzz(func(t *testing.T, first, answer []byte) {
		if len(answer) > 4 && answer[4] >= 0xfd {
			return // so many columns as the machine has no memory for
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c, err := connect(ctx, speaks(t, first, answer), "", 100*time.Millisecond)
		if err == nil {
			c.hangUp()
		}
	})
}
