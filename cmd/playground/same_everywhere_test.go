package main

import (
	"bytes"
	"os"
	"testing"

	"lockstep/lessons"
	"lockstep/node/sample"
)

// TestEveryLessonTellsTheSameOnBothEngines compares what a lesson's story tells on the
// embedded engine and on a real Redis, MariaDB or ZooKeeper, to the byte, lines of scripts included.
func TestEveryLessonTellsTheSameOnBothEngines(t *testing.T) {
	for _, l := range sample.Lessons(t, builtInLessons(t), sample.LessonsCompared, nameOf) {
		t.Run(l.Name, func(t *testing.T) {
			tell := func(engine string) string {
				var out bytes.Buffer
				args := []string{"run", l.Name, "--format", "json", "--lines", "--engine", engine}
				if code := start(t.Context(), terminal{&out, os.Stderr}, args); code != 0 {
					t.Fatalf("on %s: code %d", engine, code)
				}
				return out.String()
			}
			embedded := tell("embedded")
			for _, kind := range lessons.NodeKinds {
				if l.CanBeReal(lessons.NodeKind(kind.Name)) && tell(kind.Real.Engine) != embedded {
					t.Errorf("playground run %s tells something else with --engine %s", l.Name, kind.Real.Engine)
				}
			}
		})
	}
}
