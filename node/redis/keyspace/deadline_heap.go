package keyspace

import "slices"

// deadlineHeap is a heap of deadlines by instant. It is kept in chunks, because
// growing a slice of 100,000 records would take a command milliseconds.
type deadlineHeap struct {
	chunks [][]deadline // all full but the last one
	n      int
}

const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
)

func (h *deadlineHeap) at(i int) *deadline { return &h.chunks[i>>chunkBits][i&(chunkSize-1)] }

func (h *deadlineHeap) push(d deadline) {
	if h.n>>chunkBits == len(h.chunks) {
		h.chunks = append(h.chunks, nil)
	}
	chunk := &h.chunks[len(h.chunks)-1]
	*chunk = append(*chunk, d)
	h.n++
	h.raise(h.n - 1)
}

// drop removes the record at position i.
func (h *deadlineHeap) drop(i int) {
	last := h.n - 1
	*h.at(i) = *h.at(last)
	*h.at(last) = deadline{}
	chunk := &h.chunks[last>>chunkBits]
	*chunk = (*chunk)[:last&(chunkSize-1)]
	if len(*chunk) == 0 && last > 0 {
		*chunk = nil
		h.chunks = h.chunks[:last>>chunkBits]
	}
	h.n = last
	if i < last {
		h.lower(i)
		h.raise(i)
	}
}

// raise moves a record up to its place.
func (h *deadlineHeap) raise(i int) {
	d := *h.at(i)
	for i > 0 {
		parent := (i - 1) / 2
		if h.at(parent).at <= d.at {
			break
		}
		*h.at(i) = *h.at(parent)
		i = parent
	}
	*h.at(i) = d
}

// lower moves a record down to its place.
func (h *deadlineHeap) lower(i int) {
	d := *h.at(i)
	for {
		child := 2*i + 1
		if child >= h.n {
			break
		}
		if child+1 < h.n && h.at(child+1).at < h.at(child).at {
			child++
		}
		if d.at <= h.at(child).at {
			break
		}
		*h.at(i) = *h.at(child)
		i = child
	}
	*h.at(i) = d
}

func (h *deadlineHeap) clone() deadlineHeap {
	chunks := make([][]deadline, len(h.chunks))
	for i, chunk := range h.chunks {
		chunks[i] = slices.Clone(chunk)
	}
	return deadlineHeap{chunks: chunks, n: h.n}
}

// empty removes all records and keeps capacity for a few.
func (h *deadlineHeap) empty() {
	if h.n == 0 || h.n > 2*maxDead {
		*h = deadlineHeap{}
		return
	}
	clear(h.chunks[0])
	h.chunks, h.n = h.chunks[:1], 0
	h.chunks[0] = h.chunks[0][:0]
}
