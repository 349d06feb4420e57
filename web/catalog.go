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

	drawing sync.Mutex
	shown   *player.Edition
	gallery *ui.Gallery
}

// drawn is the newest edition with its gallery. The first visitor who asks for one waits until it
// is drawn.
func (c *catalog) drawn(ctx context.Context, from *player.Catalog) (*player.Edition, *ui.Gallery) {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	now := from.Now()
	if c.shown != now {
		c.shown, c.gallery = now, player.Gallery(context.WithoutCancel(ctx), now) // for the visitors after this one, too
	}
	return now, c.gallery
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
	if c.file, err = newFile(ui.Catalog, data); err != nil {
		return file{}, err
	}
	c.edition = now
	return c.file, nil
}

func (s *Server) serveCatalog(w http.ResponseWriter, r *http.Request) {
	f, err := s.encodedCatalog()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	f.serve(w, r)
}
