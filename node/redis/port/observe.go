package port

import (
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
)

// observer hears what happens to the keys of one database.
type observer struct {
	server *Server
	db     int
}

// Ran is for keyspace.Observer.
func (o observer) Ran(command *keyspace.Command, args []string) {
	s := o.server
	if s.observer != nil {
		s.observer.Ran(command, args)
	}
	if c := s.running; c != nil && c.tracking != nil && command.Is(keyspace.ReadOnly) {
		s.hasRead(c, command, args)
	}
}

// Changed is for keyspace.Observer.
func (o observer) Changed(key string) {
	s, at := o.server, databaseKey{o.db, key}
	if s.observer != nil {
		s.observer.Changed(key)
	}
	if s.follower != nil {
		s.follower.change(key)
	}
	for _, c := range s.watchers[at] {
		c.touched = true
	}
	s.blocked.touch(at)
	s.forget(key)
}

// Flushed is for keyspace.Observer.
func (o observer) Flushed() {
	s := o.server
	if s.observer != nil {
		s.observer.Flushed()
	}
	if s.follower != nil {
		s.follower.flush()
	}
	for at, clients := range s.watchers {
		if at.db == o.db && s.data.keys[at.db].Has(at.key) {
			for _, c := range clients {
				c.touched = true
			}
		}
	}
	s.forgetAll()
}

// Refused is for keyspace.Refusals.
func (o observer) Refused(args []string, failed reply.Reply) {
	if other, asks := o.server.observer.(keyspace.Refusals); asks {
		other.Refused(args, failed)
	}
}
