package web

import (
	"context"
	"net/http"
	"sync"
	"time"

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

// galleryLimit is how long the stories of all lessons may take to play, in real time. What
// comes later is not drawn.
const galleryLimit = 10 * time.Second

// drawn is the newest edition with its gallery. The first visitor who asks for one waits until it
// is drawn.
func (c *catalog) drawn(ctx context.Context, from *player.Catalog) (*player.Edition, *ui.Gallery) {
	c.drawing.Lock()
	defer c.drawing.Unlock()
	now := from.Now()
	if c.shown != now {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), galleryLimit)
		defer cancel()
		c.shown, c.gallery = now, player.Gallery(ctx, now)
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
