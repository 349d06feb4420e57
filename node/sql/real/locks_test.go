package real

import (
	"context"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/sample"
)

// looking is a node that compares the locks of each view with those of the server.
type looking struct{ *Node }

func (n looking) View(ctx context.Context) (engine.NodeView, error) {
	view, err := n.Node.View(ctx)
	if err != nil {
		return view, err
	}
	real, err := n.locks()
	if err != nil {
		return view, err
	}
	var shown []string
	for _, h := range view.Holds {
		k, _ := view.Key(h.Key)
		withoutLock := h.Mode == engine.HoldsAlone && k.Pending.By == h.Actor && !slices.Contains(real, h.String())
		if !strings.HasPrefix(h.Key, "GET_LOCK(") && !withoutLock {
			shown = append(shown, h.String())
		}
	}
	slices.Sort(shown)
	if shown = slices.Compact(shown); !slices.Equal(real, shown) {
		err = fmt.Errorf("the server has the locks\n%s\nand the view\n%s", strings.Join(real, "\n"), strings.Join(shown, "\n"))
	}
	return view, err
}

// TestLocksAreThoseOfTheServer: who holds and waits for which lock is what InnoDB says.
func TestLocksAreThoseOfTheServer(t *testing.T) {
	s, err := StartPrivate(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := s.Node()
	defer n.Close(t.Context())
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := n.control.exec("SET GLOBAL innodb_status_output_locks = ON"); err != nil {
		t.Fatal(err)
	}
	for _, seed := range sample.LockedRows.Seeds(t) {
		text, err := random(t.Context(), seed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := conversations.Play(t.Context(), looking{n}, text); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, got)
			if err := n.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var (
	lockOfRows = regexp.MustCompile("^RECORD LOCKS .* of table `[^`]+`\\.`([^`]+)` trx id \\S+ lock[_ ]mode (S|X)(.*)$")
	lockedRow  = regexp.MustCompile(`^Record lock, heap no (\d+) PHYSICAL RECORD`)
	keyOfRow   = regexp.MustCompile(`^ 0: len \d+; hex ([0-9a-f]*);`)
)

// locks are those on rows as SHOW ENGINE INNODB STATUS prints them, and what the writer of a
// row holds without one, which the node beside tells.
func (n *Node) locks() ([]string, error) {
	text, err := n.control.text("SHOW ENGINE INNODB STATUS")
	if err != nil {
		return nil, err
	}
	var all []string
	var of []engine.Hold // of the transaction
	var lock engine.Hold
	who, table, twice, endOfTable := "", "", false, false
	end := func() {
		for _, h := range of {
			h.Actor = who
			all = append(all, h.String())
		}
		of, who, twice = nil, "", false
	}
	_, text, _ = strings.Cut(text, "LIST OF TRANSACTIONS FOR EACH SESSION")
	for line := range strings.Lines(text) {
		switch m := lockOfRows.FindStringSubmatch(strings.TrimRight(line, "\n")); {
		case strings.HasPrefix(line, "---TRANSACTION "):
			end()
		case strings.HasPrefix(line, "------- TRX HAS BEEN WAITING"):
			twice = true // what it waits for is printed again below
		case strings.HasPrefix(line, "------------------"):
			twice, table = false, ""
		case threadOfTransaction.MatchString(line):
			who = n.actorOf(threadOfTransaction.FindStringSubmatch(line)[1])
		case strings.HasPrefix(line, "TABLE LOCK"):
			table = ""
		case m != nil:
			table = m[1]
			lock = engine.Hold{Mode: modeOf(m[2], m[3]), Waits: strings.Contains(m[3], "waiting")}
		case table == "" || twice || lock.Mode == engine.HoldsInsert && !lock.Waits:
		case lockedRow.MatchString(line) && lockedRow.FindStringSubmatch(line)[1] == "1":
			h := lock
			h.Key = table + "/" + engine.EndOfTable
			if h.Mode != engine.HoldsInsert {
				h.Mode = engine.HoldsGap
			}
			of = append(of, h)
			endOfTable = true
		case keyOfRow.MatchString(line) && endOfTable:
			endOfTable = false
		case keyOfRow.MatchString(line):
			h := lock
			h.Key = table + "/" + keyText(keyOfRow.FindStringSubmatch(line)[1])
			if !slices.Contains(of, h) {
				of = append(of, h)
			}
		}
	}
	end()
	slices.Sort(all)
	return slices.Compact(all), nil
}

func (n *Node) actorOf(thread string) string {
	for _, c := range n.clients {
		if strconv.FormatInt(c.thread, 10) == thread {
			return c.actor
		}
	}
	return ""
}

func modeOf(mode, rest string) engine.HoldMode {
	switch {
	case strings.Contains(rest, "insert intention"):
		return engine.HoldsInsert
	case strings.Contains(rest, "locks gap before rec"):
		return engine.HoldsGap
	case mode == "S":
		return engine.HoldsShared
	}
	return engine.HoldsAlone
}

// keyText is a key as a view shows it: a signed INT has its sign turned.
func keyText(digits string) string {
	b, _ := hex.DecodeString(digits) // the pattern admits nothing else
	if len(b) == 4 && b[0]&0x80 != 0 {
		n, _ := strconv.ParseUint(digits, 16, 32)
		return strconv.FormatInt(int64(n)-0x80000000, 10)
	}
	return string(b)
}
