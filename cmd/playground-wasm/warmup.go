//go:build js && wasm

package main

import (
	"context"
	"fmt"
	"syscall/js"

	"lockstep/web/player"
)

// Browsers compile WebAssembly quickly and badly at first, and again, well, what
// runs often. So that the learner's own first steps are quick, the story is played
// ahead where nobody sees it, a step at a time. On a device with one processor that, and the
// compiling, would take it from the learner.
const (
	warmupRounds = 3  // of a story, after which a step takes a fifth of the time
	warmupGap    = 20 // ms between two steps, in which the learner's commands are heard
)

// warmup is a session that nobody looks at.
type warmup struct {
	session *player.Session
	lesson  string
	left    int // times to begin anew
	rev     int64
	ended   bool
}

// warmUp plays the story of the first lesson that is shown.
func (w *worker) warmUp(messages []player.Message) {
	for _, m := range messages {
		if m.Frame == nil || !w.playsAhead {
			continue
		}
		w.playsAhead = false
		r := &warmup{session: w.playground.NewSession("warmup"), lesson: m.Lesson, left: warmupRounds, ended: true}
		var next js.Func
		next = js.FuncOf(func(js.Value, []js.Value) any {
			if r.move() {
				js.Global().Call("setTimeout", next, warmupGap)
			} else {
				next.Release()
			}
			return nil
		})
		js.Global().Call("setTimeout", next, warmupGap)
	}
}

// move makes one step, and says whether there are more. A panic ends only the warm-up, and is in
// the console: the learner has not asked for it, and sees it on the page when an own step panics.
func (r *warmup) move() (more bool) {
	defer func() {
		if fault := recover(); fault != nil {
			js.Global().Get("console").Call("error", fmt.Sprintf("playing ahead panicked: %v", fault))
		}
	}()
	switch {
	case !r.ended:
		r.ended = !r.say(`"op":"step","n":1`)
	case r.left > 0:
		r.left--
		r.ended = !r.say(fmt.Sprintf(`"op":"load","lesson":%q`, r.lesson))
	default:
		return false
	}
	return true
}

// say sends one command, and says whether it was carried out.
func (r *warmup) say(fields string) (done bool) {
	done = true
	for _, m := range r.session.Handle(context.Background(), []byte(`{"v":1,`+fields+`}`)) {
		m.Encode()
		if m.Reply != nil {
			done = m.OK
		}
		if m.Frame != nil {
			r.rev = m.Rev
		}
	}
	r.session.Handle(context.Background(), fmt.Appendf(nil, `{"v":1,"op":"ack","rev":%d}`, r.rev))
	return done
}
