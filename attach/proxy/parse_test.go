package proxy

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/reply"
)

// cut feeds a text in pieces of a size, and tells what becomes of it.
func cut[T any](text string, size int, next func([]byte) (int, *T, error)) (all []T, err error) {
	for len(text) > 0 {
		piece := []byte(text[:min(size, len(text))])
		text = text[len(piece):]
		for len(piece) > 0 {
			n, one, err := next(piece)
			if err != nil {
				return all, err
			}
			if one != nil {
				all = append(all, *one)
			}
			piece = piece[n:]
		}
	}
	return all, nil
}

func bulk(words ...string) string {
	b := fmt.Sprintf("*%d\r\n", len(words))
	for _, w := range words {
		b += fmt.Sprintf("$%d\r\n%s\r\n", len(w), w)
	}
	return b
}

// Requests are found wherever the stream is cut, and of large ones no more is kept than there is room for.
func TestRequestsAreFound(t *testing.T) {
	script := strings.Repeat("-", mostScript)
	text := bulk("SET", "k", "a\r\nb") + "*0\r\n" + "PING\r\n\r\n" + bulk("SET", "big", strings.Repeat("x", 100_000)) +
		"set \"a key\" 'v'\n" + bulk("EVAL", script, "0") + bulk("SCRIPT", "LOAD", script) + bulk("SET", "", "")
	want := fmt.Sprintf("[SET k a\r\nb] [PING] cut[SET big %s] [set a key v] [EVAL %s 0] [SCRIPT LOAD %s] [SET  ]", strings.Repeat("x", mostArg), script, script)
	for _, size := range []int{1, 2, 3, 7, 1000, 1 << 20} {
		in := &requests{}
		all, err := cut(text, size, in.next)
		var got []string
		for _, q := range all {
			cut := ""
			if q.cut {
				cut = "cut"
			}
			got = append(got, fmt.Sprint(cut, q.args))
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("in pieces of %d: %d requests, %v", size, len(all), err)
		}
	}
	for _, wrong := range []string{"*x\r\n", "*1\r\n:1\r\n", "*1\r\n$-1\r\n", strings.Repeat("x", mostLine+1)} {
		if _, err := cut(wrong, 100, (&requests{}).next); err == nil {
			t.Errorf("%.20q is taken for a request", wrong)
		}
	}
}

// Replies are found wherever the stream is cut: of RESP2 and RESP3, pushes and attributes between them.
func TestRepliesAreFound(t *testing.T) {
	text := "+OK\r\n-ERR no\r\n:-7\r\n$-1\r\n*-1\r\n_\r\n$3\r\na\r\n\r\n*2\r\n*0\r\n:1\r\n" +
		"%1\r\n+a\r\n,1.5\r\n~1\r\n#t\r\n(12345678901234567890\r\n=7\r\ntxt:abc\r\n!5\r\nERR x\r\n" +
		"|1\r\n+ttl\r\n:3\r\n:8\r\n>2\r\n$7\r\nmessage\r\n$1\r\nx\r\n*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:5\r\n:6\r\n"
	want := `OK | (error) ERR no | -7 | nil | nil | nil | "a\r\n" | [[], 1] | {a: 1.5} | {true} | 12345678901234567890 | "abc" | (error) ERR x | 8 | push ["message", "x"] | [5, 6]`
	for _, size := range []int{1, 2, 3, 5, 1 << 20} {
		in := &replies{}
		all, err := cut(text, size, func(b []byte) (int, *answer, error) {
			n, a, ok, err := in.next(b)
			if !ok {
				return n, nil, err
			}
			return n, &a, err
		})
		var got []string
		for _, a := range all {
			push := ""
			if a.push {
				push = "push "
			}
			got = append(got, push+a.String())
		}
		if s := strings.Join(got, " | "); s != want || err != nil {
			t.Errorf("in pieces of %d: %s, %v", size, s, err)
		}
	}
	in := &replies{}
	large := fmt.Sprintf("*3000\r\n%s$100000\r\n%s\r\n", strings.Repeat(":1\r\n", 2999), strings.Repeat("x", 100_000))
	n, a, ok, err := in.next([]byte(large))
	if n != len(large) || !ok || err != nil || !a.cut || len(a.Elems) != mostElems {
		t.Errorf("of a large reply %d elements are kept: %v, %v, %v", len(a.Elems), a.cut, ok, err)
	}
	if in.bytes != 0 || a.Kind != reply.Array {
		t.Errorf("it leaves %d bytes", in.bytes)
	}
}
