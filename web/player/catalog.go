package player

import (
	"errors"
	"slices"
	"sync/atomic"

	"lockstep/lessons"
)

// Edition is the state of all lessons at one moment.
type Edition struct {
	Lessons []*lessons.Lesson // in teaching order; of one whose files are broken now, the last good version
	// Read reads a lesson of which Lessons has no more than a list shows. Nil: they are whole.
	Read func(name string) (*lessons.Lesson, error)
	// Broken is what is wrong with the files of a lesson now, by its name, in words
	// that keep their lines.
	Broken map[string]string

	tellings tellings
	replaced chan struct{} // closed when there is a newer edition
}

// Replaced is closed when there is a newer edition.
func (e *Edition) Replaced() <-chan struct{} { return e.replaced }

// errNotThere is that an edition has no such lesson.
var errNotThere = errors.New("there is no such lesson")

// find looks a lesson up by its name.
func (e *Edition) find(name string) (*lessons.Lesson, error) {
	l := lessons.Find(e.Lessons, name)
	switch {
	case l == nil:
		return nil, errNotThere
	case e.Read != nil:
		return e.Read(name)
	}
	return l, nil
}

// Moved is the lesson that has taken in one that is no more, by its old name; empty: none has.
func (e *Edition) Moved(old string) string {
	if lessons.Find(e.Lessons, old) != nil {
		return ""
	}
	for _, l := range e.Lessons {
		if slices.Contains(l.Formerly, old) {
			return l.Name
		}
	}
	return ""
}

// Catalog is the lessons that all sessions share. While an author writes, one
// edition follows another.
type Catalog struct{ now atomic.Pointer[Edition] }

// NewCatalog makes a catalog of lessons in teaching order.
func NewCatalog(all []*lessons.Lesson) *Catalog {
	c := &Catalog{}
	c.Publish(&Edition{Lessons: all})
	return c
}

// Now is the newest edition. It does not change.
func (c *Catalog) Now() *Edition { return c.now.Load() }

// Publish makes an edition the newest one, which it was not before. Sessions see it when they Refresh.
func (c *Catalog) Publish(e *Edition) {
	e.replaced = make(chan struct{})
	if before := c.now.Swap(e); before != nil {
		close(before.replaced)
	}
}
