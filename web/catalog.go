package web

import (
	"net/http"
	"sync"

	"lockstep/lessons"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// catalog is the newest edition as such a file.
type catalog struct {
	mu      sync.Mutex
	edition *player.Edition
	file    file
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
