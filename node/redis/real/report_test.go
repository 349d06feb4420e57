package real

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const testMark = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// sharedNode is a node of a shared server that nobody talks to.
func sharedNode() *Node {
	s := newServer("redis://test")
	s.data = newClient(s.options)
	return s.Node("s1", "redis")
}

// reportOn is what follows thaw's reply where a step answered OK and freeze found a key.
func reportOn(name, kind, value string) string {
	return fmt.Sprintf("*2\r\n:0\r\n:0\r\n+OK\r\n*5\r\n$26\r\n%s\r\n:0\r\n:0\r\n*1\r\n*5\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n:-1\r\n%s$0\r\n\r\n$0\r\n\r\n",
		testMark, len(name), name, len(kind), kind, value)
}

// TestForeignNamesAreNotBelieved: were a report forged all the same, a name in it that
// is not the session's would not be taken for one.
func TestForeignNamesAreNotBelieved(t *testing.T) {
	for name, own := range map[string]bool{
		"theirs": false, "lockstep:s1:redi": false, "lockstep:s2:redis:a": false, "": false,
	} {
		n := sharedNode()
		out, err := n.read([]byte(reportOn(name, "string", "$1\r\n1\r\n")), call{}, testMark)
		if own != (err == nil) {
			t.Errorf("%q: got %v, %v", name, out.keys, err)
		}
		if err != nil && (err.What.Code != "not-in-keys" || len(n.names()) > 0) {
			t.Errorf("%q: got %v, and the names %q", name, err, n.names())
		}
	}
	n := sharedNode()
	out, err := n.read([]byte(reportOn(n.prefix+"a", "string", "$1\r\n1\r\n")), call{}, testMark)
	if err != nil || len(out.keys) != 1 {
		t.Errorf("its own name: got %v, %v", out.keys, err)
	}
}

// FuzzRead reads what a server could have been made to send.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		reportOn("a", "hash", "*1\r\n$1\r\nx\r\n"), reportOn("a", "zset", "*3\r\n:1\r\n:1\r\n:1\r\n"),
		reportOn("a", "stream", "*1\r\n*1\r\n$1\r\nx\r\n"), reportOn("a", "stream", "*1\r\n*2\r\n$1\r\nx\r\n:1\r\n"),
		reportOn("a", "nothing", ":1\r\n"), reportOn("a", "set", "$-1\r\n"),
		"*0\r\n+OK\r\n*5\r\n$26\r\n" + testMark + "\r\n:0\r\n:0\r\n:1\r\n$0\r\n\r\n",
		"+OK\r\n+OK\r\n*5\r\n$26\r\n" + testMark + "\r\n:0\r\n:0\r\n*0\r\n$0\r\n\r\n",
		"*2\r\n:0\r\n:0\r\n-ERR a\r\n$9223372036854775807\r\n", "$9223372036854775806\r\n",
		strings.Repeat("*1\r\n", 50_000), "*2147483647\r\n", "", "\r\n", "-\r\n", "*-1\r\n", "%1\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		n := sharedNode()
		n.prefix = ""
		if out, err := n.read(sent, call{}, testMark); err == nil {
			n.keep(out)
		}
		transactionIsOver(sent, 5, []byte("$3\r\nend\r\n"))
		if _, err := parseReply(sent); err != nil && !errors.Is(err, errMalformed) && !errors.Is(err, errTooBig) {
			t.Error(err)
		}
	})
}
