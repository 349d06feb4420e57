package web

import (
	"context"
	"net/http"
	"sync"

	"lockstep/lessons"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// catalog is what was made of the newest edition: the file for browsers, and what the
// home page shows.
type catalog struct {
	mu      sync.Mutex
	edition *player.Edition
	file    file

	home  sync.Mutex // never held while a gallery is drawn
	shown *drawing   // nil: none is drawn yet
	next  *drawing   // that is being drawn; nil: none is
}

// drawing is an edition with its gallery, which is there when done is closed.
type drawing struct {
	edition *player.Edition
	gallery *ui.Gallery
	done    chan struct{}
}

// drawn is the newest edition with its gallery. The first visitor who asks for one draws it. Those who
// come meanwhile see the one before it, if there is one, and else wait for it.
func (c *catalog) drawn(ctx context.Context, now *player.Edition, draw func(context.Context, *player.Edition) *ui.Gallery) (*player.Edition, *ui.Gallery) {
	c.home.Lock()
	before, next := c.shown, c.next
	if before != nil && before.edition == now {
		c.home.Unlock()
		return now, before.gallery
	}
	first := next == nil || next.edition != now
	if first {
		next = &drawing{edition: now, gallery: &ui.Gallery{}, done: make(chan struct{})}
		c.next = next
	}
	c.home.Unlock()
	switch {
	case first:
		defer c.finish(next)
		next.gallery = draw(context.WithoutCancel(ctx), now) // for the visitors after this one, too
	case before != nil:
		next = before
	default:
		select {
		case <-next.done:
		case <-ctx.Done():
			return now, &ui.Gallery{} // who asked has left
		}
	}
	return next.edition, next.gallery
}

// finish shows a drawing to everybody, unless a newer one is being drawn.
func (c *catalog) finish(d *drawing) {
	c.home.Lock()
	if c.next == d {
		c.shown, c.next = d, nil
	}
	c.home.Unlock()
	close(d.done)
}

func (s *Server) encodedCatalog() (file, error) {
	c := &s.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.playground.Catalog.Now()
	if c.edition == now {
		return c.file, nil
	}
	data, err := lessons.Encode(now.Lessons)
	if err != nil {
		return file{}, err
	}
	if c.file, err = newFile(ui.Catalog, data); err == nil {
		c.edition = now
	}
	return c.file, err
}

func (s *Server) serveCatalog(w http.ResponseWriter, r *http.Request) {
	f, err := s.encodedCatalog()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	f.serve(w, r)
}
