package keyspace

import (
	"container/heap"
	"slices"
)

// deadlineHeap is a heap of records, by instant and then by key.
type deadlineHeap []deadline

type deadline struct {
	at     int64
	key    string
	record uint64 // equals the record of the key's entry as long as this is its deadline
}

func (d deadlineHeap) Len() int      { return len(d) }
func (d deadlineHeap) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d deadlineHeap) Less(i, j int) bool {
	return d[i].at < d[j].at || d[i].at == d[j].at && d[i].key < d[j].key
}

func (d *deadlineHeap) Push(x any) { *d = append(*d, x.(deadline)) }

func (d *deadlineHeap) Pop() any {
	last := len(*d) - 1
	x := (*d)[last]
	*d = slices.Delete(*d, last, last+1) // which forgets the key
	return x
}

func (k *Keyspace) alive(d deadline) bool {
	e := k.keys[d.key]
	return e != nil && e.record == d.record && e.deadline == d.at
}

// maxDead limits the dead records of a heap that has few live ones.
const maxDead = 64

func (k *Keyspace) addDeadline(name string, e *entry) {
	if len(k.due) >= 2*k.timed+maxDead {
		k.due = slices.DeleteFunc(k.due, func(d deadline) bool { return !k.alive(d) })
		heap.Init(&k.due)
	}
	k.records++
	e.record = k.records
	heap.Push(&k.due, deadline{at: e.deadline, key: name, record: e.record})
}

func (k *Keyspace) dropFirst() deadline {
	k.own()
	return heap.Pop(&k.due).(deadline)
}
