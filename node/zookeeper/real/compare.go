package real

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/node/beside"
)

// events are ZooKeeper's names for what a watch can end with, by their numbers.
var events = map[int32]string{1: "NodeCreated", 2: "NodeDeleted", 3: "NodeDataChanged", 4: "NodeChildrenChanged"}

func (n *Node) hear(c *client, path, what string) {
	d := engine.Delivery{Process: c.process, Channel: path, Payload: what}
	if !slices.Contains(n.heard, d) { // a client that had two watches is told once
		n.heard = append(n.heard, d)
	}
}

// listen takes the events of all clients. An answer to a ping comes after all that came about
// before it.
func (n *Node) listen() error {
	for _, c := range n.clients {
		if c.line == nil || len(c.watches) == 0 {
			continue
		}
		if _, _, err := c.line.call(opPing, nil); err != nil {
			return err
		}
		for _, e := range c.line.events {
			path := "/" + strings.TrimPrefix(strings.TrimPrefix(e.path, root), "/")
			n.hear(c, path, events[e.kind])
			c.watches = slices.DeleteFunc(c.watches, func(w watch) bool { return w.path == path && w.endsWith(e.kind) })
		}
		c.line.events = nil
	}
	return nil
}

func (w watch) endsWith(kind int32) bool {
	switch events[kind] {
	case "NodeDeleted":
		return true
	case "NodeChildrenChanged":
		return w.of == children
	}
	return w.of != children
}

func (n *Node) compareEvents(want []engine.Delivery) error {
	if err := n.listen(); err != nil {
		return err
	}
	got := n.heard
	n.heard = nil
	slices.SortStableFunc(got, func(a, b engine.Delivery) int { return strings.Compare(a.Process, b.Process) })
	return beside.Same(heard(got), heard(want))
}

func heard(events []engine.Delivery) string {
	if len(events) == 0 {
		return "nobody hears anything"
	}
	var all []string
	for _, e := range events {
		all = append(all, e.Process+" hears "+e.Payload+" "+e.Channel)
	}
	return strings.Join(all, "; ")
}

// same compares the znodes of the server with those of a view. Who watches what, and which session
// is silent, the node beside tells alone.
func (n *Node) same(_ context.Context, view engine.NodeView) error {
	want := map[string]string{}
	for _, k := range view.Keys {
		want[k.Name] = fmt.Sprint(k.Items)
	}
	znodes, err := n.znodes()
	if err != nil {
		return err
	}
	got := map[string]string{}
	for _, z := range znodes {
		if path := strings.TrimPrefix(z.path, root); path != "" {
			got[path] = fmt.Sprint(n.items(z))
		}
	}
	return beside.Same(fmt.Sprint(got), fmt.Sprint(want))
}

// items are a znode as the node beside shows it.
func (n *Node) items(z found) []engine.Item {
	items := []engine.Item{
		{Name: "data", Value: z.data},
		{Name: "czxid", Value: strconv.FormatInt(z.stat.czxid-n.base, 10)},
		{Name: "version", Value: strconv.Itoa(int(z.stat.version))},
	}
	if z.stat.owner != 0 {
		items = append(items, engine.Item{Name: "owner", Value: n.owner(z.stat.owner)})
	}
	return items
}

// found is a znode of the server.
type found struct {
	path string
	data string
	stat stat
}

// znodes are all of the run, parents first. Those of one depth are asked for at once.
func (n *Node) znodes() (all []found, err error) {
	for paths := []string{root}; len(paths) > 0; {
		var asked []int32
		for _, path := range paths {
			for _, op := range []int32{opGetData, opGetChildren} {
				id, err := n.control.send(op, message{}.text(path).bool(false))
				if err != nil {
					return nil, err
				}
				asked = append(asked, id)
			}
		}
		var below []string
		for i, path := range paths {
			z := found{path: path}
			a, code, err := n.control.receive(asked[2*i])
			if err != nil {
				return nil, err
			}
			there := code == 0
			if there {
				z.data, z.stat = a.text(), a.stat()
			}
			if a, code, err = n.control.receive(asked[2*i+1]); err != nil {
				return nil, err
			}
			if !there || code != 0 {
				continue
			}
			for _, name := range a.texts() {
				below = append(below, path+"/"+name)
			}
			all = append(all, z)
		}
		paths = below
	}
	return all, nil
}
