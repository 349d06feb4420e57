package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/static"
	"lockstep/web/player"
	"lockstep/web/ui"
)

var languages = []lessons.Lang{lessons.En, lessons.Zh}

const languageCookie = "lang"

// chooseLanguage redirects to the home page, or to the page of followed clients, in the visitor's language.
func (s *Server) chooseLanguage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept-Language, Cookie")
	w.Header().Set("Cache-Control", "no-store")
	home := ui.HomePath
	if s.live != nil {
		home = ui.LivePath
	}
	http.Redirect(w, r, s.root+home(preferred(r)), http.StatusFound)
}

// preferred is the language of the page that was drawn last for the browser, else the one it prefers, else English.
func preferred(r *http.Request) lessons.Lang {
	if c, err := r.Cookie(languageCookie); err == nil && slices.Contains(languages, lessons.Lang(c.Value)) {
		return lessons.Lang(c.Value)
	}
	best, bestWeight := lessons.En, 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if slices.Contains(languages, lessons.Lang(primary)) && weight > bestWeight {
			best, bestWeight = lessons.Lang(primary), weight
		}
	}
	return best
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	now, gallery := s.catalog.drawn(r.Context(), s.playground.Catalog.Now(), player.Gallery)
	lang := languageOf(r)
	s.draw(w, r, http.StatusOK, lang, ui.Home(lang, now.Lessons, now.Broken, gallery, s.shell()))
}

func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	lang := languageOf(r)
	s.draw(w, r, http.StatusOK, lang, ui.LocksCompared(lang, s.playground.Catalog.Now().Lessons, s.shell()))
}

// intoFolder redirects to a lesson's address with a slash at the end: relative links in the page need it.
func intoFolder(w http.ResponseWriter, r *http.Request) {
	to := url.URL{Path: "./" + r.PathValue("name") + "/", RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", to.String()) // http.Redirect would make it absolute
	w.WriteHeader(http.StatusMovedPermanently)
}

// moved redirects from the address of a lesson to the one that has taken it in. The moves of a link were of
// another story: with them, the lesson begins, and says so.
func moved(w http.ResponseWriter, r *http.Request, to string) {
	old, q := r.URL.Query(), url.Values{}
	for _, key := range []string{"e", "view"} {
		if old.Has(key) {
			q.Set(key, old.Get(key))
		}
	}
	if old.Has("s") {
		q.Set("was", r.PathValue("name"))
	}
	location := url.URL{Path: "../" + to + "/", RawQuery: q.Encode()}
	w.Header().Set("Location", location.String()) // http.Redirect would make it absolute
	w.WriteHeader(http.StatusMovedPermanently)
}

// lesson renders a whole lesson at the place in the address, so that nothing is blank while scripts load. A busy
// server renders the start of the lesson, and the page itself goes to the place.
func (s *Server) lesson(w http.ResponseWriter, r *http.Request) {
	s.drawLesson(w, r, placeOf(r), s.shell())
}

// embedded is a lesson for frames of other pages. It plays in the browser if it can: a page with many frames
// would take many places on the server.
func (s *Server) embedded(w http.ResponseWriter, r *http.Request) {
	place, shell := placeOf(r), s.shell()
	if place.Engine == "" && s.files.address(ui.Module) != "" {
		place.Engine = ui.Browser
	}
	shell.View = ui.ViewEmbed
	w.Header().Set("Content-Security-Policy", ui.Policy+"; frame-ancestors *")
	s.drawLesson(w, r, place, shell)
}

func (s *Server) drawLesson(w http.ResponseWriter, r *http.Request, place player.Place, shell ui.Shell) {
	if to := s.playground.Catalog.Now().Moved(place.Lesson); to != "" {
		moved(w, r, to)
		return
	}
	if p := s.played(w, r, place, shell); p != nil {
		s.send(w, r, p) // after its turn has ended: a visitor may read slowly
	}
}

// played is the page of a lesson at a place; nil: the visitor has left.
func (s *Server) played(w http.ResponseWriter, r *http.Request, place player.Place, shell ui.Shell) *drawnPage {
	lang := place.Lang
	waits, enough := context.WithTimeout(r.Context(), turnLimit)
	defer enough()
	done, err := s.takeTurn(waits, addressOf(r), nil, place.Edits+place.BesideEdits != "", place.Engine.Real()+ui.EngineKind(place.Beside).Real() != "")
	if err == nil {
		defer done()
	} else {
		s.measures.refused.WithLabelValues(refusedBusy).Inc()
		place = player.Place{Lesson: place.Lesson, Lang: lang}
	}
	session := s.newSession()
	defer s.end(session)

	ctx, cancel := context.WithTimeout(r.Context(), pageLimit)
	defer cancel()
	err = session.Load(ctx, place)
	if r.Context().Err() != nil {
		return nil
	}
	e, known := errors.AsType[*player.Error](err)
	wrong := s.playground.Catalog.Now().Broken[r.PathValue("name")]
	switch {
	case known && e.Code == player.CodeNoLesson && wrong != "":
		w.Header().Set("Refresh", "2") // seconds, until its author has mended it
		return s.render(r, http.StatusNotFound, lang, ui.BrokenPage(lang, r.PathValue("name"), wrong, s.shell()))
	case known && e.Code == player.CodeNoLesson:
		return s.render(r, http.StatusNotFound, lang, ui.ErrorPage(lang, http.StatusNotFound, e.Msg, s.shell()))
	case err != nil:
		return s.render(r, http.StatusInternalServerError, lang, ui.ErrorPage(lang, http.StatusInternalServerError, ui.SentenceOf(lang, err), s.shell()))
	}
	return s.render(r, http.StatusOK, lang, ui.Page(session.View(), shell))
}

// elsewhere stands in an address for edits or a timeline beside that are too long for it. Only the browser
// that made them has them.
const elsewhere = "-"

func placeOf(r *http.Request) player.Place {
	q := r.URL.Query()
	p := player.Place{
		Lesson: r.PathValue("name"), Lang: languageOf(r),
		Engine: ui.EngineKind(q.Get("e")), Schedule: q.Get("s"), Edits: q.Get("x"), Was: q.Get("was"),
	}
	if p.Edits == elsewhere {
		p.Edits = ""
	}
	if b := q.Get("b"); b != elsewhere {
		p.Beside, p.BesideEdits = b, p.Edits
	}
	if q.Has("y") {
		p.BesideEdits = q.Get("y")
	}
	if pos, err := strconv.Atoi(q.Get("p")); err == nil {
		p.Pos = &pos
	}
	p.Challenge, _ = strconv.Atoi(q.Get("c")) // anything else: none
	return p
}

func (s *Server) end(session *player.Session) { s.logClosed(session.Close()) }

// logClosed logs the error of a session's nodes that could not be freed.
func (s *Server) logClosed(err error) {
	if err != nil {
		s.log.Warn("a session left keys behind; they will expire", "error", err)
	}
}

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, http.StatusNotFound, fact.Of("no-such-page"))
}

var somethingBroke = fact.Of("something-broke")

// languageOf is the language in a page's address, else the preferred one.
func languageOf(r *http.Request) lessons.Lang {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/"), ui.ViewEmbed+"/"), "/")
	if slices.Contains(languages, lessons.Lang(first)) {
		return lessons.Lang(first)
	}
	return preferred(r)
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, err error) {
	lang := languageOf(r)
	s.draw(w, r, status, lang, ui.ErrorPage(lang, status, ui.SentenceOf(lang, err), s.shell()))
}

// draw answers with a page, which takes a turn as lessons do: who asks for many waits for those who ask for few.
func (s *Server) draw(w http.ResponseWriter, r *http.Request, status int, lang lessons.Lang, page templ.Component) {
	waits, enough := context.WithTimeout(r.Context(), turnLimit)
	defer enough()
	done, err := s.takeTurn(waits, addressOf(r), nil, false, false)
	if err != nil && r.Context().Err() != nil {
		return // the visitor has left
	}
	if err != nil {
		s.measures.refused.WithLabelValues(refusedBusy).Inc()
		w.Header().Set("Retry-After", "1") // seconds
		http.Error(w, ui.Tell(lang, fact.Of("server-full")), http.StatusServiceUnavailable)
		return
	}
	p := func() *drawnPage { defer done(); return s.render(r, status, lang, page) }()
	s.send(w, r, p)
}

// drawnPage is a whole page, not yet sent.
type drawnPage struct {
	status int
	lang   lessons.Lang
	body   []byte // nil: it could not be drawn
	zipped bool
}

// render draws a whole page. Nothing has been sent yet, so an error leaves no half page.
func (s *Server) render(r *http.Request, status int, lang lessons.Lang, page templ.Component) *drawnPage {
	var html bytes.Buffer
	if err := page.Render(context.WithoutCancel(r.Context()), &html); err != nil {
		s.log.Error("a page could not be drawn", "path", r.URL.Path, "error", err)
		return &drawnPage{status: http.StatusInternalServerError, lang: lang}
	}
	if takesGzip(r) && html.Len() >= zipMin {
		if zipped, err := static.Zip(html.Bytes(), gzip.DefaultCompression); err == nil {
			return &drawnPage{status, lang, zipped, true}
		}
	}
	return &drawnPage{status, lang, html.Bytes(), false}
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, p *drawnPage) {
	if p.body == nil {
		http.Error(w, ui.Tell(p.lang, somethingBroke), p.status)
		return
	}
	h := w.Header()
	if p.zipped {
		h.Set("Content-Encoding", "gzip")
	}
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(p.lang))
	h.Set("Cache-Control", "no-cache")
	http.SetCookie(w, &http.Cookie{
		Name: languageCookie, Value: string(p.lang), Path: s.root,
		MaxAge: 365 * 24 * 60 * 60, HttpOnly: true, Secure: encrypted(r), SameSite: http.SameSiteLaxMode,
	})
	w.WriteHeader(p.status)
	_, _ = w.Write(p.body) // a visitor who has left is not an error
}
