package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/class"
	"lockstep/web/ui"
)

const (
	wallEvery = 250 * time.Millisecond // between two pictures of the wall
	classBeat = 15 * time.Second       // between two signs of life
	eventSize = 16 << 10               // bytes
	mostWalls = 8                      // of a class: the tabs of its teacher
)

// teacherNews and learnerNews are the data of server-sent events to pages of a class. Down is the reason why nothing new can
// come, in the viewer's language; empty: it can.
type teacherNews struct {
	Teacher bool              `json:"teacher"`
	Now     int64             `json:"now"` // by the clock of the store, in milliseconds since 1970
	Down    string            `json:"down,omitempty"`
	Titles  map[string]string `json:"titles"` // of the lessons that the wall tells of, in the viewer's language
	class.Wall
}

type learnerNews struct {
	Me      string `json:"me,omitempty"`
	Removed bool   `json:"removed,omitempty"` // by the teacher, so the class is over for them
	Down    string `json:"down,omitempty"`
	class.Shared
}

// classEvents tells a page what happens in its class, as server-sent events.
func (s *Server) classEvents(w http.ResponseWriter, r *http.Request) {
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	closed, ok := s.sockets.open(cancel)
	if !ok {
		s.comeBack(w)
		return
	}
	defer closed()
	address := addressOf(r)
	if !s.classPagesOf.acquire(address) {
		s.refuseFlood(w)
		return
	}
	defer s.classPagesOf.release(address)
	who := viewerOf(r, code)
	teacher := who.leads(room)
	if teacher {
		if !s.wallsOf.acquire(code) {
			s.refuseFlood(w)
			return
		}
		defer s.wallsOf.release(code)
	}
	defer room.Watch()()
	out := newEvents(w)
	leaves := s.departs()
	var sent []byte
	var beat <-chan time.Time
	for due := true; ; {
		text, changed, err := s.classInTurn(ctx, address, who, room, teacher)
		if err != nil {
			return
		}
		line := ": still here\n\n"
		if !bytes.Equal(text, sent) {
			line, due = "data: "+string(text)+"\n\n", true
		}
		if due {
			if out.send(line) != nil {
				return
			}
			sent, beat = text, time.After(classBeat)
		}
		var moves bool
		if due, moves = waitForNews(ctx, changed, beat, &leaves); moves {
			_ = out.send("event: moved\ndata: \n\n") // the page asks another server, which has the class, too
			return
		}
		if teacher { // the wall changes most
			wait(ctx, wallEvery)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// waitForNews waits until something has changed, a sign of life is due, or the page should go to another server.
func waitForNews(ctx context.Context, changed <-chan struct{}, beat <-chan time.Time, leaves *departure) (due, moves bool) {
	for {
		select {
		case <-changed:
			return false, false
		case <-beat:
			return true, false
		case <-ctx.Done():
			return false, false
		case <-leaves.draining:
			leaves.announce()
		case <-leaves.due:
			return false, true
		}
	}
}

func wait(ctx context.Context, span time.Duration) {
	select {
	case <-time.After(span):
	case <-ctx.Done():
	}
}

// viewer is who looks at a class.
type viewer struct {
	token string // the teacher's, if they are
	me    string // the learner, if they have joined
	lang  lessons.Lang
}

func viewerOf(r *http.Request, code string) viewer {
	return viewer{tokenOf(r, teacherCookie+code), class.Hash(tokenOf(r, learnerCookie+code)), preferred(r)}
}

// leads tells whether a viewer is the teacher of a class.
func (v viewer) leads(room *class.Room) (teacher bool) {
	_, _ = room.Look(func(c *class.State) { teacher = c.IsTeacher(v.token) })
	return teacher
}

// classInTurn is classNow, for a teacher when it is the turn of their address, since drawing a wall may take long. The error
// is that of the context.
func (s *Server) classInTurn(ctx context.Context, address string, who viewer, room *class.Room, teacher bool) (text []byte, changed <-chan struct{}, err error) {
	if teacher {
		done, err := s.takeTurn(ctx, address, nil, false, false)
		if err != nil {
			return nil, nil, err
		}
		defer done()
	}
	text, changed = s.classNow(who, room, teacher)
	return text, changed, nil
}

// classNow is the news of a class as JSON, as far as the viewer may see it. changed is closed when there is more.
func (s *Server) classNow(who viewer, room *class.Room, teacher bool) (text []byte, changed <-chan struct{}) {
	var forTeacher teacherNews
	var forLearner learnerNews
	now := room.Now()
	changed, down := room.Look(func(c *class.State) {
		if teacher {
			wall := c.Wall()
			forTeacher = teacherNews{Teacher: true, Now: now, Titles: s.titles(wall, who.lang), Wall: wall}
			return
		}
		if c.Removed[who.me] {
			forLearner = learnerNews{Removed: true, Shared: class.Shared{Lesson: c.Lesson, Mode: class.Free, Closed: true}}
			return
		}
		forLearner.Shared = c.Shared()
		if l := c.Learner(who.me); l != nil {
			forLearner.Me = l.Name
		}
	})
	if down != nil {
		forTeacher.Down = ui.SentenceOf(who.lang, down)
		forLearner.Down = forTeacher.Down
	}
	var err error
	if teacher {
		text, err = json.Marshal(forTeacher)
	} else {
		text, err = json.Marshal(forLearner)
	}
	if err != nil {
		s.log.Error("a class cannot be encoded", "error", err)
	}
	return text, changed
}

func (s *Server) titles(w class.Wall, lang lessons.Lang) map[string]string {
	titles := map[string]string{}
	add := func(name string) {
		if titles[name] == "" {
			titles[name] = s.lessonNamed(name).Title.In(lang)
		}
	}
	for _, l := range w.Learners {
		add(l.Place.Lesson)
	}
	for _, h := range w.Heat {
		add(h.Lesson)
	}
	return titles
}

// sendToClass adds an event to a class. The sender is known by the token in their cookie alone, whatever the event says. A page
// of another site cannot speak for a visitor, since browsers send JSON across sites only with the leave of this one.
func (s *Server) sendToClass(w http.ResponseWriter, r *http.Request) {
	var e class.Event
	if r.Header.Get("Content-Type") != "application/json" ||
		json.NewDecoder(http.MaxBytesReader(w, r.Body, eventSize)).Decode(&e) != nil {
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	if e.Place.Lesson != "" && s.lessonOf(e.Place.Lesson) == nil { // the teacher may lead all to where a learner says to be
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	name := learnerCookie
	if e.Kind.OfTeacher() {
		name = teacherCookie
	}
	err := error(fact.Of("class-not-allowed"))
	if token := tokenOf(r, name+code); token != "" && e.Kind != class.Join {
		e.Who, e.From, e.Time = class.Hash(token), "", 0
		err = room.Send(r.Context(), e, addressOf(r))
	}
	if err != nil {
		http.Error(w, ui.SentenceOf(preferred(r), err), classStatus(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// classFile sends all events of a class as a file, to its teacher alone.
func (s *Server) classFile(w http.ResponseWriter, r *http.Request) {
	room, code, ok := s.room(w, r)
	if !ok {
		return
	}
	var file struct {
		Class  string        `json:"class"`
		Wall   class.Wall    `json:"wall"`
		Events []class.Event `json:"events"`
	}
	if !viewerOf(r, code).leads(room) {
		s.failClass(w, r, fact.Of("class-not-allowed"))
		return
	}
	_, _ = room.Look(func(c *class.State) { file.Wall = c.Wall() })
	var err error
	file.Class = code
	if file.Events, err = s.classes.History(r.Context(), code); err != nil {
		s.failClass(w, r, err)
		return
	}
	for i := range file.Events {
		file.Events[i].From = "" // which counts, and is nobody's business
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="class-`+code+`.json"`)
	w.Header().Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(file) // a visitor who has left is not an error
}
