package port

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/node/redis/keyspace"
)

// Limits on what one request may hold, in bytes.
const (
	maxLine    = 64 << 10 // of an inline request, or of the line before an argument
	maxRequest = 64 << 20 // of all arguments together
	maxArgs    = 1<<31 - 1

	// A client that has not said who it is gets less.
	maxArgsUnknown = 10
	maxBulkUnknown = 16 << 10
)

// argOverhead is what an argument costs besides its bytes.
const argOverhead = 16

// protocolError is a malformed request. The connection ends, because the beginning of the
// next request is unknown.
type protocolError string

func (e protocolError) Error() string { return "Protocol error: " + string(e) }

// requests cuts a stream of bytes into commands, both as arrays of bulk strings
// and as the lines that people type.
type requests struct {
	buf      []byte // buf[at:] is received and not yet cut
	at       int
	borrowed bool // buf belongs to the caller of feed, and is valid until keep

	args []string // of the current array
	left int      // arguments that it lacks; 0: no array has begun
	bulk int      // length of its next argument; -1: the line with the length comes first
	size int      // bytes of its arguments so far, with argOverhead for each

	unknown bool // the client has not authenticated
}

// feed adds received bytes. The caller must leave them alone until keep.
func (r *requests) feed(received []byte) {
	if len(r.buf) == 0 {
		r.buf, r.at, r.borrowed = slices.Clip(received), 0, true
		return
	}
	r.buf, r.borrowed = append(r.buf, received...), false
}

// keep copies what is left of borrowed bytes, and gives back a buffer that is far too large.
func (r *requests) keep() {
	rest := r.buf[r.at:]
	switch {
	case len(rest) == 0:
		r.buf = nil
	case r.borrowed, cap(r.buf) > 4*(len(rest)+maxLine):
		r.buf = slices.Clone(rest)
	case r.at > 0:
		r.buf = append(r.buf[:0], rest...)
	}
	r.at, r.borrowed = 0, false
}

// next is the next complete command; nil: it needs more bytes. The error is a protocolError.
func (r *requests) next() ([]string, error) {
	for r.left > 0 || r.at < len(r.buf) {
		var args []string
		var done bool
		var err error
		switch {
		case r.left > 0:
			args, done, err = r.array()
		case r.buf[r.at] == '*':
			done, err = r.arrayStart()
		default:
			args, done, err = r.inline()
		}
		if err != nil || !done {
			return nil, err
		}
		if len(args) > 0 {
			return args, nil
		}
	}
	return nil, nil
}

// line is the line at the current place, up to \r and one more byte, and does not consume it. ok is
// false while it is incomplete.
func (r *requests) line(what string) (line []byte, ok bool, err error) {
	rest := r.buf[r.at:]
	end := bytes.IndexByte(rest, '\r')
	if end < 0 {
		if len(rest) > maxLine {
			return nil, false, protocolError("too big " + what + " string")
		}
		return nil, false, nil
	}
	if end+2 > len(rest) {
		return nil, false, nil
	}
	return rest[:end], true, nil
}

func (r *requests) arrayStart() (done bool, err error) {
	line, ok, err := r.line("mbulk count")
	if !ok {
		return false, err
	}
	n, ok := parseLength(line[1:])
	switch {
	case !ok || n > maxArgs:
		return false, protocolError("invalid multibulk length")
	case n > maxArgsUnknown && r.unknown:
		return false, protocolError("unauthenticated multibulk length")
	}
	r.at += len(line) + 2
	r.left, r.bulk, r.size, r.args = max(n, 0), -1, 0, nil
	return true, nil
}

func (r *requests) array() (args []string, done bool, err error) {
	if r.args == nil {
		r.args = make([]string, 0, min(r.left, 64))
	}
	for r.left > 0 {
		if r.bulk < 0 {
			if ok, err := r.argStart(); !ok {
				return nil, false, err
			}
		}
		if len(r.buf)-r.at < r.bulk+2 {
			return nil, false, nil
		}
		r.args = append(r.args, string(r.buf[r.at:r.at+r.bulk]))
		r.at += r.bulk + 2
		r.left--
		r.bulk = -1
	}
	args, r.args = r.args, nil
	return args, true, nil
}

// argStart reads the line with the length of an argument.
func (r *requests) argStart() (ok bool, err error) {
	line, ok, err := r.line("bulk count")
	if !ok {
		return false, err
	}
	if len(line) == 0 || line[0] != '$' {
		got := byte('\r')
		if len(line) > 0 {
			got = line[0]
		}
		return false, protocolError(fmt.Sprintf("expected '$', got '%s'", []byte{got}))
	}
	n, ok := parseLength(line[1:])
	switch {
	case !ok || n < 0 || n > keyspace.MaxText:
		return false, protocolError("invalid bulk length")
	case n > maxBulkUnknown && r.unknown:
		return false, protocolError("unauthenticated bulk length")
	}
	r.size += n + argOverhead
	if r.size > maxRequest {
		return false, protocolError(fmt.Sprintf("the request is over the limit of %d bytes", maxRequest))
	}
	r.at += len(line) + 2
	r.bulk = n
	return true, nil
}

func (r *requests) inline() (args []string, done bool, err error) {
	rest := r.buf[r.at:]
	end := bytes.IndexByte(rest, '\n')
	if zero := bytes.IndexByte(rest, 0); end < 0 || zero >= 0 && zero < end { // as in Redis, a zero byte hides the end of the line
		if len(rest) > maxLine {
			return nil, false, protocolError("too big inline request")
		}
		return nil, false, nil
	}
	r.at += end + 1
	args, ok := splitLine(bytes.TrimSuffix(rest[:end], []byte{'\r'}))
	if !ok {
		return nil, false, protocolError("unbalanced quotes in request")
	}
	return args, true, nil
}

// parseLength reads a number in its canonical form: no plus sign and no leading zeros.
func parseLength(text []byte) (int, bool) {
	n, err := strconv.Atoi(string(text))
	return n, err == nil && strconv.Itoa(n) == string(text)
}

// splitLine cuts a typed line into words, which may be quoted; ok is false when
// a quote is not closed, or is closed inside a word.
func splitLine(line []byte) (words []string, ok bool) {
	for {
		for len(line) > 0 && isSpace(line[0]) {
			line = line[1:]
		}
		if len(line) == 0 {
			return words, true
		}
		var word []byte
		word, line, ok = cutWord(line)
		if !ok {
			return nil, false
		}
		words = append(words, string(word))
	}
}

func cutWord(line []byte) (word, rest []byte, ok bool) {
	for len(line) > 0 && !isSpace(line[0]) {
		if line[0] == '"' || line[0] == '\'' {
			word, line, ok = cutQuoted(word, line[1:], line[0])
			return word, line, ok && (len(line) == 0 || isSpace(line[0]))
		}
		word, line = append(word, line[0]), line[1:]
	}
	return word, line, true
}

// escapes are letters after a backslash; escaped are their bytes.
const escapes, escaped = "nrtba", "\n\r\t\b\a"

// cutQuoted appends the text up to the closing quote to word. Only double quotes know escapes other than \'.
func cutQuoted(word, line []byte, quote byte) (quoted, rest []byte, ok bool) {
	for len(line) > 0 {
		b := line[0]
		if b == quote {
			return word, line[1:], true
		}
		used := 1
		switch {
		case b != '\\' || len(line) < 2:
		case quote == '"':
			used, b = 2, line[1]
			if at := strings.IndexByte(escapes, b); at >= 0 {
				b = escaped[at]
			} else if code, err := strconv.ParseUint(string(line[2:min(4, len(line))]), 16, 8); err == nil && b == 'x' && len(line) >= 4 {
				used, b = 4, byte(code)
			}
		case line[1] == '\'':
			used, b = 2, '\''
		}
		word, line = append(word, b), line[used:]
	}
	return nil, nil, false
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
