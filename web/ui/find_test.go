package ui

import (
	"strings"
	"testing"

	"lockstep/lessons"
)

// A lesson is found by the words of the other language, by what its story marks, by its old names, and by other words
// for the same.
func TestTheWordsByWhichALessonIsFound(t *testing.T) {
	all := lessonsBuiltIn(t)
	for name, want := range map[string][]string{
		"no-ttl":   {"没有过期时间的锁", "SETNX", "EXPIRE", "宕机"},
		"failover": {"primary", "主节点", "split brain", "宕机"},
		"fencing":  {"RFencedLock", "令牌"},
	} {
		got := terms(lessons.En, lessons.Find(all, name))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s is not found by %q, but by %s", name, w, got)
			}
		}
	}
	renamed := *lessons.Find(all, "fencing")
	renamed.Formerly = []string{"late-writer"}
	if got := terms(lessons.Zh, &renamed); !strings.Contains(got, "late-writer") || !strings.Contains(got, "A token that the store checks") {
		t.Errorf("in Chinese it is found by %s", got)
	}
}
