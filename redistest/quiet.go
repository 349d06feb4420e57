package redistest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"
)

// A goroutine that waits for a mutex is busy for synctest: while one does, Wait does not return
// and the clock of the bubble stands. So the first run of a search reads stacks instead of Wait, and the
// others do if somebody waited in it. Any other run that makes no step is looked at from outside, and
// if mutexes are why, it is left as it is and played again.

// look is how often it is looked whether a run makes steps, and patient how often it may make
// none while somebody waits for something outside of its bubble, or runs.
const (
	look           = 200 * time.Millisecond
	patientOutside = 5
	patientRunning = 100 // or only patientEnd, if all that is left is to end
)

// goroutines are those of a bubble that keep it busy, by what they do.
type goroutines struct {
	mutexes, outside, running []string // stacks
}

func bubbleOf(head string) string {
	_, rest, ok := strings.Cut(head, "synctest bubble ")
	if !ok {
		return ""
	}
	return rest[:strings.IndexFunc(rest+"]", func(c rune) bool { return c < '0' || c > '9' })]
}

// bubbleHere is the number of the bubble that one is in.
func bubbleHere() string {
	var b [256]byte
	head, _, _ := strings.Cut(string(b[:runtime.Stack(b[:], false)]), "\n")
	return bubbleOf(head)
}

// room is where stacks are written: whoever polls needs as much again and again.
var room = sync.Pool{New: func() any { return new([]byte) }}

// stacksIn are those of all goroutines in a bubble but one's own, while the world stands still.
func stacksIn(bubble string) (in []string) {
	stacks := room.Get().(*[]byte)
	defer room.Put(stacks)
	n := runtime.Stack(*stacks, true)
	for n == len(*stacks) {
		*stacks = make([]byte, max(1<<15, 2*n))
		n = runtime.Stack(*stacks, true)
	}
	for _, stack := range bytes.Split((*stacks)[:n], []byte("\n\n"))[1:] {
		head, _, _ := bytes.Cut(stack, []byte("\n"))
		if bubbleOf(string(head)) == bubble {
			in = append(in, string(stack))
		}
	}
	return in
}

// withoutLabels is a stack as Go shows it elsewhere.
func withoutLabels(stack string) string {
	return labels.ReplaceAllString(stack, "")
}

var labels = regexp.MustCompile(` labels:\{[^\n]*\}`)

// busyIn reads the stacks of those who are busy, or wait for a mutex.
func busyIn(bubble string) (g goroutines) {
	for _, stack := range stacksIn(bubble) {
		g.add(stack)
	}
	return g
}

func (g *goroutines) add(stack string) {
	head, _, _ := strings.Cut(stack, "\n")
	has := func(state string) bool { return strings.Contains(head, state) }
	switch {
	case has("(durable)") || has("[sleep") || strings.Contains(stack, "(*run).quiet("):
	case has("sync.Mutex.Lock") || has("sync.RWMutex."):
		g.mutexes = append(g.mutexes, withoutLabels(stack))
	case has("[run") || strings.Contains(stack, "redistest.(*diary)."): // its file is the run's own, and slow where the disk is
		g.running = append(g.running, withoutLabels(stack))
	default:
		g.outside = append(g.outside, withoutLabels(stack))
	}
}

// quiet waits until nobody in the bubble can go on. Whoever waits for a mutex cannot.
func (r *run) quiet() {
	if !r.polls {
		synctest.Wait()
		return
	}
	busy := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	for n := 1; ; n++ {
		runtime.Gosched()
		metrics.Read(busy)
		looks := n > 2 && n&(n-1) == 0 // others may be busy outside of the bubble
		if !looks && (busy[0].Value.Uint64() > 1 || busy[1].Value.Uint64() > 0) {
			continue
		}
		if g := busyIn(r.number); len(g.running)+len(g.outside) == 0 {
			r.mu.Lock() // what the others have done is done for this goroutine, too
			r.mutexes, r.waited = g.mutexes, r.waited || len(g.mutexes) > 0
			r.mu.Unlock()
			return
		}
	}
}

// timeStands tells whether time cannot pass, as somebody waits for a mutex whose holder waits for
// time to pass.
func (r *run) timeStands() bool {
	if len(r.mutexes) == 0 {
		return false
	}
	r.broken = timeCannotPass(r.mutexes[0])
	return true
}

func timeCannotPass(stack string) error {
	return fmt.Errorf("time cannot pass: somebody waits for a mutex whose holder sleeps, or waits for a reply that takes time; in a test of schedules, a channel can be waited for and a mutex cannot\n%s", stack)
}

// leftBehind says who is still in a bubble that has ended.
func (r *run) leftBehind(why any) error {
	if len(r.bubble) == 0 { // it has not begun
		return fmt.Errorf("the schedule cannot be run: %v", why)
	}
	stacks := stacksIn(<-r.bubble)
	for in, what := range map[string]string{
		"redistest.(*run).examine(": "an invariant waits for ever", "redistest.(*run).play.func1(": "the scenario waits for ever",
	} {
		if i := slices.IndexFunc(stacks, func(stack string) bool { return strings.Contains(stack, in) }); i >= 0 {
			return fmt.Errorf("%s:\n%s", what, withoutLabels(stacks[i]))
		}
	}
	for _, stack := range stacks {
		if !strings.Contains(stack, "synctest.Run") {
			return fmt.Errorf("the code under test leaves a goroutine behind, which never ends:\n%s", withoutLabels(stack))
		}
	}
	return fmt.Errorf("the code under test leaves something behind: %v", why)
}

func (r *run) patience() int {
	if r.ends.Load() {
		return patientEnd
	}
	return patientRunning
}

// breakOff notes why a bubble is left as it is.
func (r *run) breakOff(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = why
}

// perform plays the schedule. Mutexes tells that it must be done again, by polling.
func (r *run) perform() (mutexes bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if e := recover(); e != nil && r.broken == nil {
				r.broken = r.leftBehind(e)
			}
		}()
		r.inBubble()
	}()
	defer func() {
		select {
		case <-done:
		default:
			r.abandoned.Store(true)
		}
		r.mu.Lock() // what processes did in a bubble that is left as it is comes before what is done next
		defer r.mu.Unlock()
		r.asleep, r.diary = nil, nil
	}()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	last, still := int64(-1), 0
	for {
		select {
		case <-done:
			return false
		case <-r.gaveUp:
			return false
		case <-ticker.C:
		}
		r.looked.Add(1)
		now := r.progress.Load()
		if still++; now != last || len(r.bubble) == 0 {
			last, still = now, 0
			continue
		}
		bubble := <-r.bubble
		r.bubble <- bubble
		g := busyIn(bubble)
		switch {
		case len(g.running) > 0 && still < r.patience() && (still < patientOutside || r.until.IsZero() || time.Now().Before(r.until)):
			if len(g.outside) > 0 {
				still--
			}
		case len(g.outside) > 0 && still >= patientOutside:
			r.breakOff(errors.New("somebody waits for something outside of the bubble that the run knows of, such as a socket or a channel made elsewhere:\n" + g.outside[0]))
			return false
		case len(g.running) > 0:
			own := slices.IndexFunc(g.running, func(stack string) bool { return strings.Contains(stack, "(*Process).start(") })
			why := "somebody never stops, and waits for nothing, so that no time passes"
			switch limit := time.Duration(r.passes.Load()); {
			case r.ends.Load():
				why = "somebody goes on when its context has ended and its requests fail, and waits for nothing"
			case limit > time.Hour:
				why = fmt.Sprintf("somebody never stops, or wakes up again and again while up to %v pass in which nothing is asked for (LongestPause has pauses and hangs be shorter)", limit)
			}
			r.breakOff(errors.New(why + ":\n" + g.running[max(0, own)]))
			return false
		case len(g.mutexes) > 0 && len(g.outside) == 0 && !r.polls:
			return true
		case len(g.mutexes) > 0 && still >= patientOutside: // since the last step
			r.breakOff(timeCannotPass(g.mutexes[0]))
			return false
		}
	}
}
