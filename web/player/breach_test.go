package player

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var causeNumber = regexp.MustCompile(`class="num">(\d+)<`)

// Why a rule was broken is told by the steps that led there, as somebody would choose them who
// explains the lesson.
func TestWhyListsTheStepsThatMattered(t *testing.T) {
	for _, c := range []struct {
		lesson string
		breach int
		steps  []int
	}{
		{"oversell", 4, []int{1, 2, 3, 4}},
		{"lost-update", 6, []int{1, 2, 3, 4, 5, 6}},
		{"set-nx", 6, []int{1, 5, 6}},
		{"unlock-refreshes-no-ttl", 11, []int{2, 9, 11}}, // B is inside another section, too
		{"watchdog-and-pause", 12, []int{1, 8, 11, 12}},
		{"lost-renewal", 9, []int{1, 3, 5, 8, 9}},          // that the link was mended is no cause
		{"negative-wait", 19, []int{1, 2, 15, 19}},         // nor are renewals of the lease
		{"lost-message", 16, []int{1, 5, 9, 10, 13, 16}},   // at 13 another takes the message
		{"redlock-clock", 15, []int{1, 2, 9, 10, 15}},      // what was cut before anybody came is cut still
		{"wait-for-all", 7, []int{2, 6, 7}},                // who was promoted leads still
		{"short-read", 6, []int{1, 2, 5, 6}},               // short made the lease of both shorter
		{"compare-and-delete", 7, []int{1, 3, 4, 5, 6, 7}}, // A removed what was its own when it looked
		{"message-for-all", 15, []int{7, 9, 10, 15}},       // R1 took the message for which R2 waited
		{"dead-machine", 12, []int{2, 6, 7, 10, 12}},       // B waited for A, which was gone
		{"released-before-commit", 19, []int{3, 9, 10, 14, 15, 17, 19}},
		{"fair-fast-clock", 11, []int{1, 2, 3, 7, 11}}, // the clock has been wrong since before anybody came
		{"blocking", 11, []int{6, 8, 10, 11}},          // who could have woken C has ended, or crashed before C asked again, for as long as it takes
		{"one-renewal-task", 13, []int{3, 9, 12, 13}},  // the task that renewed B's lock failed
		{"id-clock-rollback", 13, []int{2, 7, 10, 12, 13}},
		{"sql-unique-row-lock", 3, []int{1, 3}},
		{"multilock", 6, []int{1, 2, 5, 6}},
		{"sql-deadlock", 6, []int{2, 4, 5, 6}},
		{"sql-gap-deadlock", 6, []int{2, 4, 5, 6}},
		{"zk-waiter-expires", 11, []int{2, 9, 10, 11}},
		{"fair-gave-up", 18, []int{1, 2, 4, 5, 7, 8, 13, 16, 18}}, // at 2 B took the place that it never gave back
	} {
		d := openCatalog(t, builtIn(t), c.lesson)
		for d.session.View().Pos < c.breach {
			d.ok(`"op":"step","n":1`)
		}
		if len(d.session.View().Step().Broken) == 0 {
			t.Errorf("%s: step %d breaks nothing", c.lesson, c.breach)
		}
		var steps []int
		for _, m := range causeNumber.FindAllStringSubmatch(d.html["f-why"], -1) {
			n, _ := strconv.Atoi(m[1])
			steps = append(steps, n)
		}
		if !slices.Equal(steps, c.steps) {
			t.Errorf("%s: the steps are %v, want %v", c.lesson, steps, c.steps)
		}
	}
}

// B gives back a lock of its own while A, whose lease is over, is still inside: nobody is told that it was A's.
func TestWhoReleasesTheirOwnLockIsNotCalledAStranger(t *testing.T) {
	for lang, words := range map[string][]string{"en": {"B removed the lock", "hold"}, "zh": {"B 删除了锁", "持有"}} {
		d := openCatalog(t, builtIn(t), "plain-lock-self-deadlock")
		d.ok(`"op":"load","lesson":"plain-lock-self-deadlock","lang":"` + lang + `"`)
		for _, choice := range []string{"run A", "tick 10s", "run B", "tick 5s", "run B"} {
			d.ok(`"op":"choose","choice":"` + choice + `"`)
		}
		if told := d.html["f-broken"]; !strings.Contains(told, words[0]) || strings.Contains(told, words[1]) {
			t.Errorf("%s: the page says %s", lang, told)
		}
	}
}

// No lesson shows the code of a rule where it is broken: each says in words what that means.
func TestNoBreachIsToldAsCode(t *testing.T) {
	for _, l := range builtIn(t) {
		for _, r := range l.Rules {
			if r.Say.En == "" || r.Say.Zh == "" {
				t.Errorf("%s: the rule %s has no words", l.Name, r.Name)
			}
		}
	}
	d := openCatalog(t, builtIn(t), "sql-deadlock")
	for range 6 {
		d.ok(`"op":"step","n":1`)
	}
	for _, id := range []string{"f-broken", "f-why"} {
		if text := d.html[id]; strings.Contains(text, "deadlocks()") || !strings.Contains(text, "victim") {
			t.Errorf("%s says %s", id, text)
		}
	}
}
