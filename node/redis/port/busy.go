package port

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"lockstep/engine/reply"
)

var scriptCommands = []command{
	{"script|kill", whileBusy, scriptKill},
}

// script is the script that runs, as other clients meet it.
//
// A script holds the server's lock, as every command does. Once it has run for
// longer than busy-reply-threshold, it lets go of the lock for a moment each time
// that it is asked whether it may go on: other clients come in, and are told that
// the server is busy. Redis does the same with its one thread.
type script struct {
	client *conn // whose script it is; nil while none runs
	began  time.Time
	busy   bool // other clients are told so
	killed bool
}

const (
	busyError       = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
	unkillableError = "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command."
)

var (
	errKilled = errors.New("Script killed by user with SCRIPT KILL...") //nolint:revive,staticcheck // Redis's words
	errEnding = errors.New("the server is shut down")
)

// checkScript is asked many times a second while a script runs; its error ends the
// script.
func (s *Server) checkScript() error {
	if err := s.data.memory.guard(); err != nil {
		return err
	}
	now := time.Now()
	if s.script.began.IsZero() {
		s.script.began = now
	}
	ran := now.Sub(s.script.began).Milliseconds()
	if limit := int64(s.config.busyAfter); limit > 0 && ran >= limit {
		if !s.script.busy {
			s.script.busy = true
			s.log.Warn(fmt.Sprintf("slow script detected: still in execution after %d milliseconds", ran),
				"client", s.script.client.addr, "hint", "SCRIPT KILL ends it unless it has written")
		}
		s.yieldLock()
	}
	select {
	case <-s.closed:
		return errEnding
	default:
	}
	if s.script.killed {
		return errKilled
	}
	return nil
}

// yieldLock lets others have the lock for a moment. They cannot change what the script
// works on: refuse sees to that.
func (s *Server) yieldLock() {
	s.flush()
	s.mu.Unlock()
	runtime.Gosched()
	s.mu.Lock()
}

func scriptKill(s *Server, c *conn, _ []string) {
	switch {
	case !s.script.busy:
		c.error("NOTBUSY No scripts in execution right now.")
	case s.data.node.Wrote():
		c.error(unkillableError)
	default:
		s.script.killed = true
		c.reply(reply.OK)
	}
}
