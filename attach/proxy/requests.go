package proxy

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"lockstep/node/redis/port"
)

// What is kept of a request, in bytes and arguments. The rest passes through unseen.
const (
	mostArg    = 4 << 10
	mostScript = 64 << 10 // of a script's text
	mostArgs   = 1024
	mostLine   = 64 << 10 // of a request that people type, as servers take it
)

var errProtocol = errors.New("this is no request of the Redis protocol")

// request is a command, as far as it is kept.
type request struct {
	args  []string
	cut   bool // some of it is not kept
	bytes int  // that are kept
}

func (q *request) verb() string { return strings.ToLower(q.args[0]) }

// sub is the second word of a command like CLIENT SETNAME.
func (q *request) sub() string {
	if len(q.args) < 2 {
		return ""
	}
	return strings.ToLower(q.args[1])
}

// requests cuts what a client sends into commands, without holding on to more than is kept.
type requests struct {
	line []byte  // the current line, as far as it has come
	left int     // arguments that the array lacks; 0: no array has begun
	body int     // bytes that the current argument lacks, with the two after it; 0: its length comes first
	arg  []byte  // what is kept of it
	room int     // bytes that may still be kept of it
	q    request // the current one
}

// next takes bytes up to the end of a command; q is nil when b ends before.
func (r *requests) next(b []byte) (n int, q *request, err error) {
	for n < len(b) {
		if r.body > 0 {
			n += r.takeBody(b[n:])
			if r.body > 0 {
				return n, nil, nil
			}
			r.keepArg()
			if r.left--; r.left == 0 {
				return n, r.end(), nil
			}
			continue
		}
		took, whole := takeLine(&r.line, b[n:], mostLine)
		n += took
		if !whole {
			if len(r.line) >= mostLine {
				return n, nil, errProtocol
			}
			return n, nil, nil
		}
		q, err = r.takeLine()
		r.line = r.line[:0]
		if q != nil || err != nil {
			return n, q, err
		}
	}
	return n, nil, nil
}

// takeLine adds to a line up to \n, of which only so many bytes are kept. whole: it is complete, and without its end.
func takeLine(line *[]byte, b []byte, most int) (n int, whole bool) {
	end := bytes.IndexByte(b, '\n')
	n = end + 1
	if end < 0 {
		n = len(b)
	}
	*line = append(*line, b[:min(n, max(0, most-len(*line)))]...)
	if end < 0 {
		return n, false
	}
	*line = bytes.TrimSuffix(bytes.TrimSuffix(*line, []byte("\n")), []byte("\r"))
	return n, true
}

// takeLine takes a line outside of an argument.
func (r *requests) takeLine() (*request, error) {
	line := r.line
	switch {
	case r.left > 0:
		size, err := lengthOf(line, '$')
		if err != nil || size < 0 {
			return nil, errProtocol
		}
		r.body, r.arg, r.room = size+2, nil, r.mostKept()
		return nil, nil
	case len(line) == 0:
		return nil, nil
	case line[0] == '*':
		count, err := lengthOf(line, '*')
		if err != nil {
			return nil, errProtocol
		}
		r.left = max(count, 0)
		return nil, nil
	}
	commands, _ := port.Commands(append(bytes.Clone(line), '\r', '\n'))
	if len(commands) == 0 {
		return nil, nil
	}
	r.q = request{args: commands[0], bytes: len(line)}
	return r.end(), nil
}

func lengthOf(line []byte, kind byte) (int, error) {
	if len(line) < 2 || line[0] != kind {
		return 0, errProtocol
	}
	return strconv.Atoi(string(line[1:]))
}

// mostKept is how much of the next argument may be kept.
func (r *requests) mostKept() int {
	at := len(r.q.args)
	switch {
	case at >= mostArgs, r.q.bytes > 2*mostScript:
		return 0
	case at == 1 && (strings.EqualFold(r.q.args[0], "eval") || strings.EqualFold(r.q.args[0], "eval_ro")):
		return mostScript
	case at == 2 && strings.EqualFold(r.q.args[0], "script"):
		return mostScript
	}
	return mostArg
}

func (r *requests) takeBody(b []byte) int {
	n := min(r.body, len(b))
	if text := min(n, r.body-2); text > 0 { // the last two are \r\n
		keep := min(text, r.room)
		r.arg = append(r.arg, b[:keep]...)
		r.room -= keep
		r.q.cut = r.q.cut || keep < text
	}
	r.body -= n
	return n
}

func (r *requests) keepArg() {
	if len(r.q.args) >= mostArgs {
		r.q.cut = true
		return
	}
	r.q.args = append(r.q.args, string(r.arg))
	r.q.bytes += len(r.arg) + 16
}

func (r *requests) end() *request {
	q := r.q
	r.q = request{}
	return &q
}
