package redistest

import (
	"cmp"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"lockstep/node/redis/port"
)

// server is one embedded Redis of a scenario.
type server struct {
	name        string
	redis       *port.Server
	eye         *port.Local // that looks at data outside of any schedule
	said        []byte      // to the eye
	database    string      // at which it looks; empty: 0
	conns       []*wire
	connections int             // there have been
	scripts     map[string]bool // that it was sent as a whole, and has run
	changed     names           // keys that were, since it was last looked at
	had         map[string]bool // keys that were there after any step
	changing    names           // keys that were, since a command last ended
	given       names           // key and argument: a command of this step changed the key, and had the argument
	chooses     names           // what it has, of chosen
	lacks       names           // commands that scripts have called and it does not know
	dialed      bool
	away        bool              // it refuses connections
	refused     map[*Process]bool // of whom it is told, once in an outage
	silent      bool              // it performs nothing
	owes        []*wire           // to which it has not said what it has performed before that
	hungAt      time.Time
	bounded     bool       // its memory, so that each key may take the room of another
	learnt      bool       // it has scripts or settings of clients, which it forgets as it starts again
	pauses      bool       // it was sent CLIENT PAUSE, so that requests may be held up
	file        [][]string // its settings from the beginning, which it does not
	spare       bool       // it is a replica, or was the master: it refuses connections
	sentinel    bool
}

// server finds a server, or starts it; r.mu is held.
func (r *run) server(name string) *server {
	for _, s := range r.servers {
		if s.name == name {
			return s
		}
	}
	s := &server{name: name, had: map[string]bool{}, refused: map[*Process]bool{}}
	s.start(r)
	r.servers = append(r.servers, s)
	slices.SortFunc(r.servers, func(a, b *server) int { return cmp.Compare(a.name, b.name) })
	return s
}

func (r *run) serverNow(name string) *server {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.server(name)
}

// start starts a server, empty.
func (s *server) start(r *run) {
	s.redis, s.scripts = port.New(port.Real, slog.New(slog.NewTextHandler(io.Discard, nil))), map[string]bool{}
	s.bounded, s.learnt, s.pauses = false, false, false
	s.join(r)
	s.redis.Observe(observer{&r.trail, s})
	s.eye = s.redis.Local(func(b []byte) { s.said = append(s.said, b...) }, func() {})
	s.eye.LooksOn()
	s.look(s.database)
	s.reads(s.file)
}

// owed are the connections of those who wait for what a server that hangs has performed before that.
func (s *server) owed() []*wire {
	return slices.DeleteFunc(slices.Clone(s.owes), func(w *wire) bool { return w.isClosed() || w.isBroken() })
}

// reads has a server have the settings of a file.
func (s *server) reads(file [][]string) {
	s.file = file
	for _, setting := range file {
		s.ask(setting...)
	}
}

// startAnew has a server start again with its data.
func (s *server) startAnew(r *run) {
	data := s.redis.Snapshot()
	s.start(r)
	s.redis.Restore(data)
}

// look has the eye look at a database from now on.
func (s *server) look(database string) {
	if database != "" {
		s.ask("SELECT", database)
	}
}

// heeds notes what a command says of the server itself.
func (s *server) heeds(args []string) {
	name := strings.ToLower(args[0])
	s.bounded = s.bounded || name == "config" && strings.Contains(strings.ToLower(strings.Join(args, " ")), "maxmemory")
	s.pauses = s.pauses || name == "client" && len(args) > 1 && strings.EqualFold(args[1], "PAUSE")
	s.learnt = s.learnt || loads(name) || name == "script" || s.pauses
}

// sets tells whether a command changes settings.
func sets(c []string) bool {
	return len(c) > 2 && strings.EqualFold(c[0], "CONFIG") && strings.EqualFold(c[1], "SET")
}

// isSet notes who has made a setting: the scenario, as a file of settings does, or somebody later.
func (s *server) isSet(setting []string, later bool) {
	if later {
		s.learnt = true
	} else {
		s.file = append(s.file, setting)
	}
}

// ask runs a command outside of any schedule.
func (s *server) ask(args ...string) string {
	if strings.EqualFold(args[0], "SELECT") && len(args) > 1 {
		s.database = args[1]
	}
	s.heeds(args)
	s.said = nil
	s.eye.Send(port.Encode(args))
	s.chooses.take() // no program has asked
	return string(s.said)
}
