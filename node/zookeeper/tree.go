package zookeeper

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"lockstep/engine/reply"
)

// znode is one node of the tree.
type znode struct {
	path    string
	data    string
	czxid   int64 // of the write that made it
	mzxid   int64 // of the last write to its data
	pzxid   int64 // of the last write to its list of children
	version int   // how often its data was written
	made    int   // children that it ever had: the number of the next sequential one
	owner   string
}

// tree is all znodes, ordered by path. The root is always there.
type tree struct {
	zxid   int64 // of the last write, failed ones included
	znodes []znode
}

func (t *tree) find(path string) (int, bool) {
	return slices.BinarySearchFunc(t.znodes, path, func(z znode, path string) int { return strings.Compare(z.path, path) })
}

// at is a znode, to be changed in place; nil: there is none.
func (t *tree) at(path string) *znode {
	if i, there := t.find(path); there {
		return &t.znodes[i]
	}
	return nil
}

func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 1)] }

// children are the names of a znode's children, in order. ZooKeeper itself promises none.
func (t *tree) children(path string) []string {
	names := []string{}
	for _, z := range t.znodes {
		if z.path != "/" && parent(z.path) == path {
			names = append(names, strings.TrimPrefix(z.path[len(path):], "/"))
		}
	}
	return names
}

// create makes a znode, and returns its path, which has a number at its end if it is
// sequential.
func (t *tree) create(path, data, owner string, sequential bool) (string, reply.Reply) {
	t.zxid++
	up := t.at(parent(path))
	switch {
	case up == nil:
		return "", failed("NONODE", path)
	case up.owner != "":
		return "", failed("NOCHILDRENFOREPHEMERALS", path)
	}
	if sequential {
		path += fmt.Sprintf("%010d", up.made)
	}
	i, there := t.find(path)
	if there {
		return "", failed("NODEEXISTS", path)
	}
	up.made++
	up.pzxid = t.zxid
	t.znodes = slices.Insert(t.znodes, i, znode{path: path, data: data, czxid: t.zxid, mzxid: t.zxid, pzxid: t.zxid, owner: owner})
	return path, reply.Reply{}
}

// anyVersion is the version that fits every znode.
const anyVersion = -1

// set writes the data of a znode.
func (t *tree) set(path, data string, version int) reply.Reply {
	t.zxid++
	z := t.at(path)
	switch {
	case z == nil:
		return failed("NONODE", path)
	case version != anyVersion && version != z.version:
		return failed("BADVERSION", path)
	}
	z.data, z.mzxid = data, t.zxid
	z.version++
	return reply.Reply{}
}

// delete removes a znode without children.
func (t *tree) delete(path string, version int) reply.Reply {
	t.zxid++
	z := t.at(path)
	switch {
	case path == "/":
		return failed("BADARGUMENTS", path)
	case z == nil:
		return failed("NONODE", path)
	case version != anyVersion && version != z.version:
		return failed("BADVERSION", path)
	case len(t.children(path)) > 0:
		return failed("NOTEMPTY", path)
	}
	t.remove(path)
	return reply.Reply{}
}

func (t *tree) remove(path string) {
	if i, there := t.find(path); there {
		t.znodes = slices.Delete(t.znodes, i, i+1)
		t.at(parent(path)).pzxid = t.zxid
	}
}

// ownedBy are the paths of the ephemeral znodes of a session, in the order in which it
// deletes them. ZooKeeper 3.8 has them in a HashSet, which grows from 16 buckets, and deletes
// them in the order of a copy, which Java 17 gives no more buckets than it needs.
func (t *tree) ownedBy(process string) []string {
	var owned []znode
	for _, z := range t.znodes {
		if z.owner == process {
			owned = append(owned, z)
		}
	}
	slices.SortStableFunc(owned, func(a, b znode) int { return int(a.czxid - b.czxid) })
	kept, copied := 16, 1
	for 4*len(owned) > 3*kept {
		kept *= 2
	}
	for 4*len(owned)/3+1 > copied {
		copied *= 2
	}
	for _, buckets := range []int{kept, copied} {
		slices.SortStableFunc(owned, func(a, b znode) int { return bucket(a.path, buckets) - bucket(b.path, buckets) })
	}
	paths := make([]string, len(owned))
	for i, z := range owned {
		paths[i] = z.path
	}
	return paths
}

// bucket is where a HashSet of Java keeps a text: by String.hashCode, with its upper half
// mixed into the lower one.
func bucket(text string, buckets int) int {
	var h uint32
	for _, c := range utf16.Encode([]rune(text)) {
		h = 31*h + uint32(c)
	}
	return int(h^h>>16) & (buckets - 1)
}

// failed is an error by the name that ZooKeeper has for it.
func failed(code, path string) reply.Reply { return reply.OfError(code + " for " + path) }
