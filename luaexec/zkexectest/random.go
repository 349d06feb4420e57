package zkexectest

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"lockstep/luaexec/zkexec"
)

// scheduleLength is how many lines a random conversation has.
const scheduleLength = 40

// Random is a conversation that is drawn from a seed: requests of two to four processes on a
// few znodes, with faults and with sessions that expire. What the embedded node does stands
// in it.
func Random(ctx context.Context, seed uint64) (string, error) {
	d := drawer{
		Rand:   rand.New(rand.NewPCG(seed, 3)),
		player: player{node: zkexec.NewNode(SessionTimeout)},
		free:   []string{"a", "b", "c", "d"}[:2+seed%3],
	}
	for range scheduleLength {
		if err := d.happens(ctx, d.draw()); err != nil {
			return "", err
		}
	}
	err := d.happens(ctx, "view")
	return d.out.String(), err
}

// drawer plays what it draws.
type drawer struct {
	*rand.Rand
	player
	free   []string // can send
	paused []string
	cut    []string // of which the requests arrive, and no reply comes back
}

func (d *drawer) pick(of ...string) string { return of[d.IntN(len(of))] }

// move moves one name from a list to another.
func (d *drawer) move(from, to *[]string) string {
	name := d.pick(*from...)
	*from = slices.DeleteFunc(*from, func(n string) bool { return n == name })
	*to = append(*to, name)
	return name
}

// draw is what happens next: mostly somebody asks for something.
func (d *drawer) draw() string {
	var gone []string
	switch roll := d.IntN(40); {
	case roll == 0 && len(d.free) > 1:
		return "crash " + d.move(&d.free, &gone)
	case roll < 3 && len(d.free) > 0:
		return "pause " + d.move(&d.free, &d.paused)
	case roll < 6 && len(d.paused) > 0:
		return "resume " + d.move(&d.paused, &d.free)
	case roll < 8 && len(d.free) > 0:
		return "cut " + d.move(&d.free, &d.cut)
	case roll < 11 && len(d.cut) > 0:
		return "heal " + d.move(&d.cut, &d.free)
	case roll < 14:
		return "tick " + d.pick("1s", "4s", "10s")
	case roll < 18:
		return "view"
	}
	if from := slices.Concat(d.free, d.cut); len(from) > 0 {
		return d.pick(from...) + " " + d.request()
	}
	return "tick 1s"
}

var paths = []string{"/lock", "/lock/a", "/lock/b", "/é", "/flag", "/lock/a/deep"}

func (d *drawer) request() string {
	path := d.pick(paths...)
	switch d.IntN(16) {
	case 0, 1, 2:
		return "create " + path + " " + strconv.Itoa(d.IntN(9)) + d.pick("", "", " ephemeral")
	case 3, 4, 5:
		return "create " + d.pick("/lock/n-", "/lock/n-", "/lock/", "/q-") + ` ""` + d.pick(" sequential", " ephemeral sequential", " ephemeral sequential")
	case 6, 7:
		return "delete " + path + d.pick("", "", " 0", " 1")
	case 8:
		return "delete /lock/n-000000000" + strconv.Itoa(d.IntN(4))
	case 9:
		return "set " + path + " " + strconv.Itoa(d.IntN(9)) + d.pick("", "", " 0", " 1")
	case 10, 11:
		return "exists " + d.pick(path, path, "/lock/n-000000000"+strconv.Itoa(d.IntN(4))) + d.pick("", " watch", " watch")
	case 12:
		return "get " + path + d.pick("", " watch")
	case 13, 14:
		return "children " + d.pick("/", "/lock", "/lock", path) + d.pick("", " watch", " watch")
	default:
		return d.pick("get /", "set / x", "delete /", `create / ""`, "exists / watch", "create /lock/ 1", "delete /lock one", "children / watch", `create / "" sequential`)
	}
}
