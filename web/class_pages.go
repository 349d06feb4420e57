package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/class"
	"lockstep/web/ui"
)

// Bounds of classes.
const (
	classEvery = 10 * time.Second // between two classes that one visitor opens, and
	classBurst = 20               // so many at once: a school has one address
	guessEvery = time.Second / 2  // between two codes of no class that one visitor tries, and
	guessBurst = 300              // so many at once
	classAge   = 24 * 60 * 60     // of cookies, in seconds
	classForm  = 4 << 10          // bytes
)

// OfferClasses lets visitors open lessons as classes.
func (s *Server) OfferClasses(rooms *class.Rooms) {
	s.classes = rooms
	s.opened = class.Pacer{Every: classEvery, Burst: classBurst}
	s.classPagesOf = newTally(maxConnections)
	s.wallsOf = newTally(mostWalls)
	s.guessed = class.Pacer{Every: guessEvery, Burst: guessBurst}
}

func (s *Server) classPages(mux *http.ServeMux) {
	at := "/" + ui.ClassPath
	mux.HandleFunc("GET "+at+"{$}", s.enterClass)
	mux.HandleFunc("POST "+at+"open", s.openClass)
	mux.HandleFunc("GET "+at+"{code}", s.chooseClassLanguage)
	for _, lang := range languages {
		mux.HandleFunc("GET /"+ui.HomePath(lang)+ui.ClassPath+"{code}", s.classPage)
	}
	mux.HandleFunc("GET "+at+"{code}/lead", s.leadClass)
	mux.HandleFunc("POST "+at+"{code}/join", s.joinClass)
	mux.HandleFunc("GET "+at+"{code}/events", s.classEvents)
	mux.HandleFunc("POST "+at+"{code}/events", s.sendToClass)
	mux.HandleFunc("GET "+at+"{code}/qr.svg", s.classCode)
	mux.HandleFunc("GET "+at+"{code}/file", s.classFile)
}

// The cookies that a browser proves itself by, for each class.
const (
	teacherCookie = "teacher-"
	learnerCookie = "learner-"
)

func (s *Server) setToken(w http.ResponseWriter, r *http.Request, name, token string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: token, Path: s.root, MaxAge: classAge, HttpOnly: true, Secure: encrypted(r), SameSite: http.SameSiteLaxMode,
	})
}

func tokenOf(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil || len(c.Value) > 64 {
		return ""
	}
	return c.Value
}

// room is the room of the class in a request's path. ok is false after an error has been answered. An address that has tried
// too many codes of no class is refused by all classes that it is not in, so that nobody finds a class by guessing.
func (s *Server) room(w http.ResponseWriter, r *http.Request) (room *class.Room, code string, ok bool) {
	code, ok = class.ParseCode(r.PathValue("code"))
	err := error(fact.Of("class-none"))
	if ok {
		room, err = s.classes.Enter(r.Context(), code, addressOf(r))
	}
	if s.guessed.Spent(addressOf(r), time.Now()) && !knows(room, tokenOf(r, teacherCookie+code), tokenOf(r, learnerCookie+code)) {
		s.measures.refused.WithLabelValues(refusedFlood).Inc()
		err = fact.Of("class-guessed-often") // whether there is such a class is not told
	} else if f, _ := errors.AsType[fact.Fact](err); f.Code == "class-none" {
		s.guessed.Takes(addressOf(r), time.Now())
	}
	if err != nil {
		s.failClass(w, r, err)
		return nil, code, false
	}
	return room, code, true
}

// knows tells whether one of the tokens is that of the teacher or a learner of a class; a nil room is no class.
func knows(room *class.Room, tokens ...string) (known bool) {
	if room == nil {
		return false
	}
	_, _ = room.Look(func(c *class.State) {
		known = slices.ContainsFunc(tokens, func(token string) bool { return c.IsTeacher(token) || c.Learner(class.Hash(token)) != nil })
	})
	return known
}

// failClass answers with a page that says what is wrong, and where one can join.
func (s *Server) failClass(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	lang := languageOf(r)
	s.draw(w, r, classStatus(err), lang, ui.ClassEntrance(lang, ui.SentenceOf(lang, err), s.shell()))
}

// classStatus is the HTTP status of an error of a class. It decides what pages do: after 429, or 500 and above, they send the
// event again before any other; after all others they drop it.
func classStatus(err error) int {
	f, _ := errors.AsType[fact.Fact](err)
	switch f.Code {
	case "class-none":
		return http.StatusNotFound
	case "class-not-allowed", "class-removed":
		return http.StatusForbidden
	case "class-bad-name":
		return http.StatusUnprocessableEntity
	case "class-slower", "class-network-slower", "class-opened-often", "class-guessed-often":
		return http.StatusTooManyRequests
	case "class-closed":
		return http.StatusGone
	case "class-full", "class-network-full", "class-shut":
		return http.StatusConflict
	default:
		return http.StatusServiceUnavailable
	}
}

func (s *Server) enterClass(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("code")
	if code, ok := class.ParseCode(text); ok {
		s.goTo(w, r, ui.ClassPath+code)
		return
	}
	if text != "" {
		s.failClass(w, r, fact.Of("class-none"))
		return
	}
	lang := languageOf(r)
	s.draw(w, r, http.StatusOK, lang, ui.ClassEntrance(lang, "", s.shell()))
}

func (s *Server) goTo(w http.ResponseWriter, r *http.Request, path string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, s.root+path, http.StatusSeeOther)
}

// chooseClassLanguage leads from the short address, which is in QR codes.
func (s *Server) chooseClassLanguage(w http.ResponseWriter, r *http.Request) {
	s.goTo(w, r, ui.HomePath(preferred(r))+ui.ClassPath+url.PathEscape(r.PathValue("code")))
}

func (s *Server) openClass(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, classForm)
	lesson := r.PostFormValue("lesson")
	if s.lessonOf(lesson) == nil {
		s.notFound(w, r)
		return
	}
	if !s.opened.Takes(addressOf(r), time.Now()) {
		s.failClass(w, r, fact.Of("class-opened-often"))
		return
	}
	code, token, err := s.classes.Open(r.Context(), lesson)
	if err != nil {
		s.log.Warn("a class could not be opened", "error", err)
		s.failClass(w, r, err)
		return
	}
	s.setToken(w, r, teacherCookie+code, token)
	s.goTo(w, r, ui.HomePath(preferred(r))+ui.ClassPath+code)
}

// classPage is the wall for the teacher, and for everybody else the way in.
func (s *Server) classPage(w http.ResponseWriter, r *http.Request) {
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	var teacher, joined bool
	var lesson string
	asTeacher, asLearner := tokenOf(r, teacherCookie+code), tokenOf(r, learnerCookie+code)
	_, _ = room.Look(func(c *class.State) {
		teacher = c.IsTeacher(asTeacher)
		joined = c.Learner(class.Hash(asLearner)) != nil
		lesson = c.Lesson
	})
	lang := languageOf(r)
	switch {
	case teacher:
		s.setToken(w, r, teacherCookie+code, asTeacher) // for as long as the class is kept
		s.draw(w, r, http.StatusOK, lang, ui.ClassWall(lang, code, asTeacher, r.Host+s.root+ui.ClassPath, s.lessonNamed(lesson), s.shell()))
	case joined:
		s.setToken(w, r, learnerCookie+code, asLearner)
		s.goTo(w, r, ui.LessonPath(lang, lesson)+"?class="+code)
	default:
		s.draw(w, r, http.StatusOK, lang, ui.ClassDoor(lang, code, s.lessonNamed(lesson), "", s.shell()))
	}
}

// leadClass makes another browser the teacher's, by the key that the wall shows them.
func (s *Server) leadClass(w http.ResponseWriter, r *http.Request) {
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	key := r.URL.Query().Get("key")
	if !(viewer{token: key}).leads(room) {
		s.failClass(w, r, fact.Of("class-not-allowed"))
		return
	}
	s.setToken(w, r, teacherCookie+code, key)
	s.goTo(w, r, ui.ClassPath+code)
}

// lessonOf finds a lesson; nil: there is none.
func (s *Server) lessonOf(name string) *lessons.Lesson {
	return lessons.Find(s.playground.Catalog.Now().Lessons, name)
}

// lessonNamed is a lesson that may have been removed since its class was opened.
func (s *Server) lessonNamed(name string) *lessons.Lesson {
	if l := s.lessonOf(name); l != nil {
		return l
	}
	return &lessons.Lesson{Name: name, Title: lessons.Text{En: name, Zh: name}}
}

func (s *Server) joinClass(w http.ResponseWriter, r *http.Request) {
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, classForm)
	lang := preferred(r)
	var lesson string
	_, _ = room.Look(func(c *class.State) { lesson = c.Lesson })
	name, err := class.CleanName(r.PostFormValue("name"))
	token := tokenOf(r, learnerCookie+code)
	if token == "" {
		token = class.NewToken()
	}
	if err == nil {
		err = room.Send(r.Context(), class.Event{Kind: class.Join, Who: class.Hash(token), Text: name, From: class.Network(code, addressOf(r))}, addressOf(r))
	}
	if err != nil {
		s.draw(w, r, classStatus(err), lang, ui.ClassDoor(lang, code, s.lessonNamed(lesson), ui.SentenceOf(lang, err), s.shell()))
		return
	}
	s.setToken(w, r, learnerCookie+code, token)
	s.goTo(w, r, ui.LessonPath(lang, lesson)+"?class="+code)
}
