package real

import (
	"fmt"
	"slices"

	"lockstep/engine/reply"
	"lockstep/node/zookeeper"
)

// root is the znode in which a run has its tree: what is asked for /lock is asked for
// root/lock. The number of the next sequential child of ZooKeeper's own root would outlive a
// run. The hash that Java has of this text is 0, so those of all paths are what they would be
// without it: in their order a session deletes its znodes.
const root = "/lesson-aboytjoh"

// place is where a path of a run is on the server.
func place(path string) string {
	if path == "/" {
		return root
	}
	return root + path
}

// encode is a request as a server takes it.
func encode(r zookeeper.Request) (op int32, body message) {
	body = message{}.text(place(r.Path))
	switch r.Name {
	case "create":
		const all, world, anyone = 31, "world", "anyone"
		flags := int32(0)
		if r.Ephemeral {
			flags |= 1
		}
		if r.Sequential {
			flags |= 2
			body = message{}.text(root + r.Path) // also in the root itself
		}
		return opCreate2, body.text(r.Data).int(1).int(all).text(world).text(anyone).int(flags)
	case "delete":
		if r.Path == "/" {
			body = message{}.text("/") // which a run must not take away
		}
		return opDelete, body.int(int32(r.Version))
	case "set":
		return opSetData, body.text(r.Data).int(int32(r.Version))
	case "get":
		return opGetData, body.bool(r.Watch)
	case "exists":
		return opExists, body.bool(r.Watch)
	}
	return opGetChildren, body.bool(r.Watch)
}

// codes are ZooKeeper's names for why it refuses something.
var codes = map[int32]string{
	-8: "BADARGUMENTS", -101: "NONODE", -103: "BADVERSION", -108: "NOCHILDRENFOREPHEMERALS",
	-110: "NODEEXISTS", -111: "NOTEMPTY", -112: "SESSIONEXPIRED", -118: "SESSIONMOVED",
}

const noNode = -101

// decode is an answer in the terms of a run.
func (n *Node) decode(r zookeeper.Request, a *answer, code int32) reply.Reply {
	switch {
	case code == noNode && r.Name == "exists":
		return reply.Reply{}
	case code != 0:
		name, known := codes[code]
		if !known {
			name = fmt.Sprintf("ERROR %d", code)
		}
		return reply.OfError(name + " for " + r.Path)
	}
	switch r.Name {
	case "create":
		path := a.text()
		return reply.OfArray(reply.OfBulk(path[min(len(root), len(path)):]), reply.OfInt(a.stat().czxid-n.base))
	case "delete":
		return reply.OK
	case "get":
		data := a.text()
		return reply.OfArray(reply.OfBulk(data), n.told(a.stat()))
	case "children":
		children := a.texts()
		slices.Sort(children) // ZooKeeper has no order for them
		names := make([]reply.Reply, len(children))
		for i, name := range children {
			names[i] = reply.OfBulk(name)
		}
		return reply.OfArray(names...)
	}
	return n.told(a.stat())
}

func (n *Node) told(s stat) reply.Reply {
	owner := ""
	if s.owner != 0 {
		owner = n.owner(s.owner)
	}
	return zookeeper.Stat(s.czxid-n.base, s.mzxid-n.base, int(s.version), owner)
}

func (n *Node) owner(number int64) string {
	i := slices.IndexFunc(n.clients, func(c *client) bool { return c.id.number == number })
	if i < 0 {
		return fmt.Sprintf("the session %x", number)
	}
	return n.clients[i].process
}
