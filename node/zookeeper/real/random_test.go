package real_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	"lockstep/node/conversation"
	"lockstep/node/zookeeper"
)

// conversations are those that the embedded node keeps, too.
var conversations = conversation.Suite{Texts: os.DirFS(".."), Args: conversation.Words}

// scheduleLength is how many lines a random conversation has.
const scheduleLength = 40

// random is a conversation that is drawn from a seed: requests of two to four processes on a
// few znodes, with faults and with sessions that expire. What the embedded node does stands
// in it.
func random(ctx context.Context, seed uint64) (string, error) {
	d := drawer{Rand: rand.New(rand.NewPCG(seed, 3)), node: zookeeper.NewNode(zookeeper.DefaultTimeout), free: []string{"a", "b", "c", "d"}[:2+seed%3]}
	first := []string{"== " + strconv.FormatUint(seed, 10), `a> create /lock ""`}
	return conversations.Draw(ctx, d.node, first, scheduleLength, d.draw)
}

// drawer draws what happens to a node.
type drawer struct {
	*rand.Rand
	node   *zookeeper.Node
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
func (d *drawer) draw(ctx context.Context) (string, error) {
	var gone []string
	switch roll := d.IntN(60); {
	case roll < 2 && len(d.free) > 1:
		return "$ crash " + d.move(&d.free, &gone), nil
	case roll < 4 && len(d.free) > 0:
		return "$ pause " + d.move(&d.free, &d.paused), nil
	case roll < 10 && len(d.paused) > 0:
		return "$ resume " + d.move(&d.paused, &d.free), nil
	case roll < 6 && len(d.free) > 0:
		return "$ cut " + d.move(&d.free, &d.cut), nil
	case roll < 12 && len(d.cut) > 0:
		return "$ heal " + d.move(&d.cut, &d.free), nil
	case roll < 15:
		return "$ tick " + d.pick("1s", "4s", "10s"), nil
	case roll < 19:
		return "$ look", nil
	}
	from := d.free
	if d.IntN(6) == 0 {
		from = slices.Concat(d.free, d.cut)
	}
	if len(from) == 0 {
		return "$ tick 1s", nil
	}
	path, err := d.path(ctx)
	return d.pick(from...) + "> " + d.request(path), err
}

// path is that of a znode: mostly of one that is there.
func (d *drawer) path(ctx context.Context) (string, error) {
	if d.IntN(3) == 0 {
		return d.pick("/lock", "/lock/a", "/lock/b7", "/é", "/flag", "/lock/a/deep"), nil
	}
	view, err := d.node.View(ctx)
	if err != nil {
		return "", err
	}
	paths := []string{"/flag"}
	for _, k := range view.Keys {
		paths = append(paths, k.Name)
	}
	return d.pick(paths...), nil
}

func (d *drawer) request(path string) string {
	switch d.IntN(20) {
	case 0, 1, 2:
		return "create " + d.pick(path, "/lock/a", "/lock/z", "/lock/é", "/flag") + " " + strconv.Itoa(d.IntN(9)) + d.pick("", " ephemeral", " ephemeral")
	case 3, 4, 5:
		return "create " + d.pick("/lock/n-", "/lock/n-", "/lock/", "/q-", path) + ` ""` + d.pick(" sequential", " ephemeral sequential", " ephemeral sequential")
	case 6, 7, 8:
		return "delete " + path + d.pick("", "", " 0", " 1")
	case 9, 10:
		return "set " + path + " " + strconv.Itoa(d.IntN(9)) + d.pick("", "", " 0", " 1")
	case 11, 12, 13, 14:
		return "exists " + path + d.pick("", " watch", " watch", " watch")
	case 15, 16:
		return "get " + path + d.pick("", " watch")
	case 17, 18:
		return "children " + d.pick("/", "/lock", "/lock", path) + d.pick("", " watch", " watch")
	default:
		return d.pick("get /", "set / x", "delete /", `create / ""`, "exists / watch", "create /lock/ 1", "delete /lock one", "children / watch", `create / "" sequential`)
	}
}
