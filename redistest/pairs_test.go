package redistest

import (
	"bufio"
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// plain is a client that tries nothing again, of the first of its servers that takes a connection.
type plain struct {
	process *Process
	servers []string
	conn    net.Conn
	server  string // of conn; empty: it was refused by all
}

func (c *plain) ask(ctx context.Context, args ...string) string {
	for {
		if c.conn == nil && !c.dial(ctx) {
			return "refused"
		}
		if _, err := c.conn.Write([]byte(strings.Join(args, " ") + "\r\n")); err == nil {
			break
		}
		c.conn = nil // it has ended since it was last used
	}
	line, err := bufio.NewReader(c.conn).ReadString('\n')
	if err != nil {
		_ = c.conn.Close()
		c.conn = nil
		return "broken"
	}
	return strings.TrimSpace(line)
}

func (c *plain) dial(ctx context.Context) bool {
	for _, c.server = range c.servers {
		if conn, err := c.process.Dial(ctx, c.server); err == nil {
			c.conn = conn
			return true
		}
	}
	c.server = ""
	return false
}

// asked is what a process knows of one of its requests.
type asked struct {
	sent, back time.Duration
	reply      string
	server     string
}

// isOf tells whether the request number n, which adds the nth bit, was met by a fault of a kind, and by no other. When it
// was performed, a check has seen.
func (a asked) isOf(k kind, n int, performed time.Duration, was bool) bool {
	late := func(d time.Duration) bool { return d > time.Millisecond } // times of servers are in whole ones
	value, err := strconv.Atoi(strings.TrimPrefix(a.reply, ":"))
	switch k {
	case ticks, slows, hangs:
		return err == nil && late(performed-a.sent) && !late(a.back-performed)
	case pauses:
		return err == nil && !late(performed-a.sent) && late(a.back-performed)
	case loses:
		return a.reply == "broken" && was
	case drops:
		return a.reply == "broken" && !was
	case leaves:
		return a.reply == "refused"
	case restarts:
		return err == nil && value == 1<<n
	default: // promotes
		return err == nil && a.server != "n1"
	}
}

// oneAfterTheOther is broken if one request is met by the first fault, and one after it by the second, both of A; or of B,
// once A has crashed.
func oneAfterTheOther(first, second kind, servers []string) func(w *World) {
	const requests = 3
	faults := []kind{first, second}
	return func(w *World) {
		if slices.Contains(faults, promotes) {
			w.Sentinel(servers...)
		}
		var all [2][]asked
		var performed [2][requests]time.Duration
		var was [2][requests]bool
		names := []string{"A", "B"}
		for i, name := range names {
			w.Process(name, func(ctx context.Context, p *Process) {
				c := &plain{process: p, servers: servers}
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				for n := range requests {
					a := asked{sent: w.run.now()}
					a.reply = c.ask(ctx, "INCRBY", name, strconv.Itoa(1<<n))
					a.back, a.server = w.run.now(), c.server
					all[i] = append(all[i], a)
					time.Sleep(200 * time.Millisecond)
				}
			})
		}
		w.Check("when each was performed", func() error {
			for i, name := range names {
				is, _ := strconv.Atoi(w.Do("n1", "GET", name))
				for n := range requests {
					if is&(1<<n) != 0 && !was[i][n] {
						performed[i][n], was[i][n] = w.run.now(), true
					}
				}
			}
			return nil
		})
		w.Eventually("not both", func() error {
			who := 0
			for at, k := range faults {
				n := at + 1
				switch {
				case k == crashes && len(all[who]) == n:
					who = 1
				case k == crashes, len(all[who]) <= n, !all[who][n].isOf(k, n, performed[who][n], was[who][n]):
					return nil
				}
			}
			return errors.New("both")
		})
		w.Allow(Missing)
	}
}

// What breaks only if two faults happen, one after the other, breaks within the bounds that allow each of them.
func TestTwoFaultsOneAfterTheOther(t *testing.T) {
	allows := map[kind]func(b *Bounds){
		ticks: func(b *Bounds) { b.Ticks++ }, pauses: func(b *Bounds) { b.Pauses++ }, loses: func(b *Bounds) { b.Losses++ },
		drops: func(b *Bounds) { b.Drops++ }, slows: func(b *Bounds) { b.Slow++ }, crashes: func(b *Bounds) { b.Crashes++ },
		restarts: func(b *Bounds) { b.Restarts++ }, leaves: func(b *Bounds) { b.Outages++ }, hangs: func(b *Bounds) { b.Hangs++ },
		promotes: func(b *Bounds) { b.Failovers++ },
	}
	for first, allowsFirst := range allows {
		for second, allowsSecond := range allows {
			b, servers := Bounds{Schedules: 3000}, []string{"n1"}
			if first == promotes || second == promotes {
				servers = []string{"n1", "n2"}
			}
			allowsFirst(&b)
			allowsSecond(&b)
			if b.Crashes == 2 {
				continue // nobody would be left
			}
			if v := Search(t, oneAfterTheOther(first, second, servers), b); v.Broken == nil || v.Broken.Error() != "not both: both" {
				t.Errorf("%s, then %s: %s", budgets[first], budgets[second], v)
			}
		}
	}
}
