package web

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Learners who play one lesson at the same time share its compiled code, and each sees what they would see alone.
func TestLearnersAtTheSameTimeSeeWhatEachWouldAlone(t *testing.T) {
	_, server := site(t, 8)
	play := func(t *testing.T) map[string]string {
		c := dial(t, server.URL)
		c.ok(`"op":"load","lesson":"redisson-lock"`)
		for range 12 {
			c.ok(`"op":"step","n":1`)
		}
		return c.html
	}
	alone := play(t)
	var mu sync.Mutex
	var seen []map[string]string
	t.Run("together", func(t *testing.T) {
		for learner := range 6 {
			t.Run(fmt.Sprint(learner), func(t *testing.T) {
				t.Parallel()
				html := play(t)
				mu.Lock()
				defer mu.Unlock()
				seen = append(seen, html)
			})
		}
	})
	for _, html := range seen {
		if diff := cmp.Diff(alone, html); diff != "" {
			t.Errorf("alone (-) and beside others (+):\n%s", diff)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d learners have played", len(seen))
	}
}
