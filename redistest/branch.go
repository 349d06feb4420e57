package redistest

import (
	"cmp"
	"container/heap"
	"slices"
)

// branch is a node with the choices that are still to be made there. A search that has them made, and all that follows from
// them, depends on no other branch. So any process can: exported fields are sent to it.
type branch struct {
	Before  Schedule // of the run in which the node was met, up to the node
	Step    int      // at which it was met
	Marks   []mark   // of that run, up to the choice that was made at the node
	Node    *node    // nil: of the first run, which has none
	Choices []option // of which there is one at least
}

// option is a choice by its place among those that are offered, and by its name.
type option struct {
	Choice int
	Name   string
}

// next is the schedule that makes the first choice.
func (b *branch) next() Schedule {
	if b.Node == nil {
		return nil
	}
	return append(slices.Clip(b.Before), Deviation{b.Step, b.Choices[0].Choice})
}

// level is the number of deviations of the schedules.
func (b *branch) level() int {
	if b.Node == nil {
		return 0
	}
	return len(b.Before) + 1
}

// compare orders branches as their schedules.
func (b *branch) compare(c *branch) int {
	return cmp.Or(b.Before.compare(c.Before), cmp.Compare(b.Step, c.Step))
}

// precedes tells whether a branch comes before what settles the search, if anything does.
func (b *branch) precedes(o outcome) bool { return !o.Ending.settles() || b.next().compare(o.At) < 0 }

// queue is a heap of what is to be run: the branch of the least schedule comes first.
type queue []*branch

func first() queue { return queue{{Choices: []option{{}}}} }

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(b any)        { *q = append(*q, b.(*branch)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	b := (*q)[last]
	(*q)[last], *q = nil, (*q)[:last]
	return b
}

func (q *queue) add(branches ...*branch) {
	for _, b := range branches {
		heap.Push(q, b)
	}
}

// take takes the first schedule out.
func (q *queue) take() planned {
	b := (*q)[0]
	p := planned{schedule: b.next(), marks: b.Marks, name: b.Choices[0].Name, at: b.Node}
	if b.Choices = b.Choices[1:]; len(b.Choices) == 0 {
		heap.Pop(q)
	}
	return p
}

// half takes every second branch out.
func (q *queue) half() (given []*branch) {
	slices.SortFunc(*q, (*branch).compare)
	kept := (*q)[:0]
	for i, b := range *q {
		if i%2 == 0 {
			kept = append(kept, b)
		} else {
			given = append(given, b)
		}
	}
	clear((*q)[len(kept):])
	*q = kept
	return given
}

// compare orders schedules as a search runs them: by their number of deviations, and then by where these are.
func (s Schedule) compare(t Schedule) int {
	return cmp.Or(cmp.Compare(len(s), len(t)), slices.CompareFunc(s, t, func(d, e Deviation) int {
		return cmp.Or(cmp.Compare(d.Step, e.Step), cmp.Compare(d.Choice, e.Choice))
	}))
}
