package redistest_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/redistest"
)

// howItFails is the environment variable that has TestFailuresAreTold fail, in a program of its own.
const howItFails = "REDISTEST_FAILS"

// However the code under test fails, the test fails with the schedule and its story, and no other
// test is the worse for it.
func TestFailuresAreTold(t *testing.T) {
	outside := make(chan int)
	ways := map[string]func(){
		"Fatal":   func() { t.Fatal("no") },
		"Error":   func() { t.Error("no") },
		"panic":   func() { panic("no") },
		"outside": func() { <-outside },
		"child": func() {
			go func() { panic("no") }()
			time.Sleep(time.Second)
		},
	}
	if how := os.Getenv(howItFails); how != "" {
		redistest.Explore(t, fails(ways[how]), redistest.Bounds{})
		return
	}
	for how, want := range map[string]string{
		"Fatal":   "B ends by t.FailNow, t.Fatal or runtime.Goexit",
		"Error":   "the code under test fails the test",
		"panic":   "B panics: no",
		"outside": "somebody waits for something outside of the bubble",
		"child":   "panic: no",
	} {
		t.Run(how, func(t *testing.T) {
			again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailuresAreTold$") //nolint:gosec // it is this program
			again.Env = append(os.Environ(), howItFails+"="+how)
			out, err := again.CombinedOutput()
			text := string(out)
			told := strings.Contains(text, "B: incr n → 1") || how == "child"
			if err == nil || !strings.Contains(text, want) || !strings.Contains(text, "redistest.Schedule{{0, 1}}") || !told {
				t.Errorf("%v:\n%s", err, text)
			}
		})
	}
}

// fails has B fail when it comes first.
func fails(how func()) func(w *redistest.World) {
	return func(w *redistest.World) {
		for _, name := range []string{"A", "B"} {
			w.Client(name, func(ctx context.Context, rdb *redis.Client) {
				if rdb.Incr(ctx, "n").Val() == 1 && name == "B" {
					how()
				}
			})
		}
	}
}
