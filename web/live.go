package web

import (
	"net/http"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/node/redis/clients"
	"lockstep/web/ui"
)

// Live is real clients that are followed.
type Live interface {
	// Version is another one whenever there is something new to show.
	Version() int
	// Show is what there is after so many steps; below 0: now.
	Show(lang lessons.Lang, at int) ui.Live
	// Keep makes a lesson of what there is, and returns its name, and its story up to where a rule was broken last.
	Keep() (lesson string, breach engine.Schedule, err error)
	// Hold adds a rule by which requests are held back, and Unhold removes it.
	Hold(clients.Rule) error
	Unhold(rule int)
	// Read takes a warning away; 0: all of them.
	Read(warning int)
	// LetGo has the held request of a connection performed; 0: all.
	LetGo(connection int64)
}

// Follow gives the server a page of real clients, which is then its home page. It is for
// servers that do not serve yet.
func (s *Server) Follow(l Live) { s.live, s.liveOf = l, newTally(mostLive) }

func (s *Server) livePages(mux *http.ServeMux) {
	for _, lang := range languages {
		at := "/" + ui.LivePath(lang)
		mux.HandleFunc("GET "+at+"{$}", func(w http.ResponseWriter, r *http.Request) {
			s.draw(w, r, http.StatusOK, lang, ui.LivePage(s.live.Show(lang, -1), s.shell()))
		})
		mux.HandleFunc("GET "+at+"events", s.liveEvents(lang))
		mux.HandleFunc("POST "+at+"lesson", s.own(s.keepLive))
		mux.HandleFunc("POST "+at+"hold", s.own(s.holdLive))
		mux.HandleFunc("POST "+at+"unhold", s.own(func(w http.ResponseWriter, r *http.Request) {
			if rule, err := strconv.Atoi(r.FormValue("rule")); err == nil {
				s.live.Unhold(rule)
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		mux.HandleFunc("POST "+at+"read", s.own(func(w http.ResponseWriter, r *http.Request) {
			warning, _ := strconv.Atoi(r.FormValue("warning")) // without one: all
			s.live.Read(warning)
			w.WriteHeader(http.StatusNoContent)
		}))
		mux.HandleFunc("POST "+at+"go", s.own(func(w http.ResponseWriter, r *http.Request) {
			connection, _ := strconv.ParseInt(r.FormValue("connection"), 10, 64) // without one: all
			s.live.LetGo(connection)
			w.WriteHeader(http.StatusNoContent)
		}))
	}
}

// own lets only the playground's own pages do something. A page that is answered without
// content stays as it is, and is told of what changes.
func (s *Server) own(do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !sameOrigin(r) {
			s.fail(w, r, http.StatusForbidden, fact.Of("not-own-page"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostForm)
		do(w, r)
	}
}

// mostForm and mostField bound what a form sends, in bytes.
const (
	mostForm  = 16 << 10
	mostField = 1 << 10
)

// holdLive adds a rule by which requests are held back.
func (s *Server) holdLive(w http.ResponseWriter, r *http.Request) {
	field := func(name string) string { return strings.TrimSpace(r.FormValue(name)) }
	rule := clients.Rule{Key: field("key"), Command: field("command"), Script: field("script"), Client: field("client")}
	for _, f := range []string{rule.Key, rule.Command, rule.Script, rule.Client} {
		if len(f) > mostField {
			s.fail(w, r, http.StatusBadRequest, fact.Of("long-field", mostField))
			return
		}
	}
	if err := s.live.Hold(rule); err != nil {
		s.fail(w, r, http.StatusConflict, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// keepLive makes a lesson of what the clients did, and goes there.
func (s *Server) keepLive(w http.ResponseWriter, r *http.Request) {
	name, breach, err := s.live.Keep()
	if err != nil {
		s.fail(w, r, http.StatusInternalServerError, err)
		return
	}
	http.Redirect(w, r, s.root+ui.PlacePath(languageOf(r), name, breach, len(breach.Choices), ui.Embedded), http.StatusSeeOther)
}
