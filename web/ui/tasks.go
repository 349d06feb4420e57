package ui

import (
	"slices"

	"lockstep/engine"
)

const taskOffset = 0.22 // of its thread's column, from the thread to a task

// taskLane is the lane of a task, beside that of the thread that it belongs to.
type taskLane struct {
	Name, Hue string
	X         float64
	Segments  []segment
}

// tasks are the lanes of all tasks so far. A task keeps its place when others begin.
func tasks(v *View, d diagram) []taskLane {
	known := v.cache()
	for ; known.seen < len(v.Trace.Steps); known.seen++ {
		for _, a := range v.Trace.Steps[known.seen].After.Actors {
			if a.Task && !slices.Contains(known.tasks, a.Name) {
				known.tasks = append(known.tasks, a.Name)
			}
		}
	}
	beside := map[string]int{}
	var all []taskLane
	for _, name := range known.tasks {
		root := engine.Root(name)
		i := slices.IndexFunc(d.Lanes, func(l lane) bool { return !l.Server && l.Name == root })
		if i < 0 {
			continue
		}
		l := d.Lanes[i]
		beside[root] = min(beside[root]+1, 2)
		all = append(all, taskLane{Name: name, Hue: l.Hue, X: l.X + float64(beside[root])*taskOffset*l.Width})
	}
	return all
}

// alive is the class of a task as long as it runs.
func alive(v *View, t taskLane) func(n int) string {
	return func(n int) string {
		a, ok := v.Trace.At(n).Actor(t.Name)
		return onlyIf(ok && !ended(a) && a.Status != engine.Crashed, "task")
	}
}
