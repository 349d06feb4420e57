package real

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine/reply"
)

// A playground that uses a shared server listens to a channel there with its own id in
// the name. Nothing is ever sent: the subscription says that it lives. It ends with the
// process, however that ends, so that the next playground can tell whose users and keys
// nobody needs any more.

// presenceChannel is the channel of a playground.
func presenceChannel(id string) string { return "lockstep:#" + id }

// announcePresence subscribes; the client library renews the subscription when it breaks.
func (s *Server) announcePresence(ctx context.Context) *Error {
	there := s.control.Subscribe(ctx, presenceChannel(s.id))
	if _, err := there.Receive(ctx); err != nil {
		_ = there.Close()
		return s.unreachable(err)
	}
	s.presence = there
	messages := there.Channel()
	go func() {
		for range messages {
			continue // nobody sends any
		}
	}()
	return nil
}

// nodeUser is the name of a user that a playground has made for a node.
var nodeUser = regexp.MustCompile(`^lockstep:([A-Z2-7]+):([\w+%.~-]*:){0,2}lesson$`)

// cleanLimit is how long the leftovers of others may hold up a start, in real time.
const cleanLimit = 5 * time.Second

// clean removes the users and keys of playgrounds that have ended without doing so.
// Where that cannot be done the keys expire by themselves, and the users reach nothing.
func (s *Server) clean(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, cleanLimit)
	defer cancel()
	// Whoever has a user has appeared before, so that asking who has is late enough after it.
	for id, users := range s.users(ctx) {
		listening, err := send(ctx, s.control, "PUBSUB", "NUMSUB", presenceChannel(id))
		if err == nil && len(listening.Elems) == 2 && listening.Elems[1].Equal(reply.OfInt(0)) {
			s.removeLeftovers(ctx, id, users)
		}
	}
}

// users are those that playgrounds have made for nodes, by their ids.
func (s *Server) users(ctx context.Context) map[string][]string {
	users := map[string][]string{}
	all, err := send(ctx, s.control, "ACL", "USERS")
	if err != nil {
		return nil
	}
	for _, user := range all.Elems {
		if m := nodeUser.FindStringSubmatch(user.Str); m != nil {
			users[m[1]] = append(users[m[1]], user.Str)
		}
	}
	return users
}

// leave removes what nodes have left that could not do it themselves, because the
// server did not answer just then, and ends the presence.
func (s *Server) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), dialLimit)
	defer cancel()
	if left := s.users(ctx)[s.id]; len(left) > 0 {
		s.removeLeftovers(ctx, s.id, left)
	}
	_ = s.presence.Close()
}

// removeLeftovers removes the keys of a playground, as a user that reaches no others, and
// its users.
func (s *Server) removeLeftovers(ctx context.Context, id string, users []string) {
	n := &Node{server: s, prefix: "lockstep:" + id + ":"}
	n.forget()
	n.owner = s.owner
	problem := n.dial(ctx)
	if problem == nil {
		problem = n.sweep(ctx)
		n.closeSteps()
	}
	if problem == nil {
		users = slices.Concat([]string{"ACL", "DELUSER", n.userName()}, users)
		_ = s.execOK(ctx, s.control, users...) // else the next start tries again
	}
}

// Warnings say what visitors, or a lesson, can do to a server that others use too, in
// English, for whoever starts the playground. A private server has none.
func (s *Server) Warnings() []string {
	if s.Private() {
		return nil
	}
	warnings := []string{
		"a script that does not end keeps it busy for seconds, one that has written by then until its owner sends SHUTDOWN NOSAVE, and one inside string.find until its owner kills the process",
		"a script can make strings until the memory of its machine is full: maxmemory does not count them",
	}
	if s.crashes() {
		warnings = append(warnings, "a script that says error({}) ends "+s.Version()+" (Redis 8.2, Valkey 8.0.6 and 8.1.4 have mended that)")
	}
	for i, w := range warnings {
		warnings[i] = "on " + s.where + ", which others may use too, " + w
	}
	return warnings
}

// crashes tells whether error({}) in a script ends the server.
func (s *Server) crashes() bool {
	if s.name != "valkey" {
		return !atLeast(s.version, 8, 2)
	}
	return !atLeast(s.version, 8, 0, 6) || strings.HasPrefix(s.version, "8.1.") && !atLeast(s.version, 8, 1, 4)
}
