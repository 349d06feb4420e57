package engine

import (
	"slices"

	"lockstep/engine/reply"
)

// runsTask tells whether a task of a thread's actor goes on.
func (w *World) runsTask(t *thread, name string) bool {
	task := w.thread(Root(t.name) + ":" + name)
	return task != nil && !task.ended()
}

// endOf is the outcome that a thread gets when the task it awaited has ended.
func (w *World) endOf(t *thread, name string) reply.Reply {
	if task := w.thread(Root(t.name) + ":" + name); task != nil {
		return reply.OfError(task.failure.Error())
	}
	return reply.Reply{}
}

// join resumes the threads that wait for a task that has ended. They may end, too, and others
// wait for them.
func (w *World) join(step *Step) {
	for {
		i := slices.IndexFunc(w.threads, func(t *thread) bool {
			req, awaits := t.next.(Await)
			return awaits && w.process(t.process).runs() && !w.runsTask(t, req.Name)
		})
		if i < 0 {
			return
		}
		t := w.threads[i]
		w.settle(t, Outcome{Now: w.clockOf(t), Reply: w.endOf(t, t.next.(Await).Name)}, step)
	}
}
