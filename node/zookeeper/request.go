package zookeeper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// request is one kind of request. Its arguments are a path, then what it needs, then
// options in any order.
type request struct {
	name    string
	needs   []string // after the path
	options []string
	version bool // a version may stand after what it needs
	do      func(n *Node, r Request) reply.Reply
}

// Request is what a client asks of a server.
type Request struct {
	Name    string // create, delete, set, get, exists or children
	Path    string
	Data    string
	Version int // anyVersion: any
	// Ephemeral and Sequential are of a create, Watch of a read.
	Ephemeral, Sequential, Watch bool

	process string
}

// The words that options are written with.
const (
	ephemeral  = "ephemeral"
	sequential = "sequential"
	watching   = "watch"
)

var requests = []request{
	{name: "create", needs: []string{"data"}, options: []string{ephemeral, sequential}, do: create},
	{name: "delete", version: true, do: remove},
	{name: "set", needs: []string{"data"}, version: true, do: set},
	{name: "get", options: []string{watching}, do: get},
	{name: "exists", options: []string{watching}, do: exists},
	{name: "children", options: []string{watching}, do: children},
}

// perform does a request of a client.
func (n *Node) perform(op engine.Op) reply.Reply {
	kind, r, refused := read(op)
	if refused.IsError() {
		return refused
	}
	r.process = op.From.Process
	if r.process != "" && n.connect(r.process).expired {
		return failed("SESSIONEXPIRED", r.Path)
	}
	return kind.do(n, r)
}

// Sent is the request that an op is. There is none when the client finds a mistake in it,
// which is the reply then.
func Sent(op engine.Op) (r Request, sent bool) {
	_, r, refused := read(op)
	return r, !refused.IsError()
}

// read finds out what is asked. A client finds these mistakes before it sends anything, so
// they are no writes.
func read(op engine.Op) (kind request, r Request, refused reply.Reply) {
	if op.Script != nil {
		return kind, r, reply.OfError("UNIMPLEMENTED scripts: a ZooKeeper runs none")
	}
	name := ""
	if len(op.Args) > 0 {
		name = op.Args[0]
	}
	i := slices.IndexFunc(requests, func(k request) bool { return k.name == name })
	if i < 0 {
		return kind, r, reply.OfError("UNIMPLEMENTED " + name + ": a ZooKeeper is asked to create, delete, set, get, exists or children")
	}
	r, problem := requests[i].read(op.Args[1:])
	if problem != "" {
		refused = reply.OfError("BADARGUMENTS " + name + ": " + problem)
	}
	return requests[i], r, refused
}

// read tells a request's arguments apart.
func (k request) read(words []string) (r Request, problem string) {
	if len(words) < 1+len(k.needs) {
		return r, "it needs " + strings.Join(append([]string{"a path"}, k.needs...), " and ")
	}
	r.Name, r.Path, r.Version = k.name, words[0], anyVersion
	if len(k.needs) > 0 {
		r.Data = words[1]
	}
	words = words[1+len(k.needs):]
	if k.version && len(words) > 0 {
		v, err := strconv.ParseInt(words[0], 10, 32)
		if err != nil {
			return r, fmt.Sprintf("%q is no version", words[0])
		}
		r.Version, words = int(v), words[1:]
	}
	for _, w := range words {
		if !slices.Contains(k.options, w) {
			return r, fmt.Sprintf("it has no option %q", w)
		}
	}
	r.Ephemeral, r.Sequential, r.Watch = slices.Contains(words, ephemeral), slices.Contains(words, sequential), slices.Contains(words, watching)
	path := r.Path
	if r.Sequential {
		path += "0"
	}
	return r, wrongPath(path)
}

// wrongPath says what is wrong with a path, as ZooKeeper's PathUtils does; "" when nothing is.
func wrongPath(path string) string {
	switch {
	case !strings.HasPrefix(path, "/"):
		return fmt.Sprintf("the path %q does not begin with /", path)
	case path == "/":
		return ""
	case strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r >= 0x7f && r <= 0x9f || r == '\uFFFD' }):
		return fmt.Sprintf("the path %q has a character that cannot be in one", path)
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		switch name {
		case "":
			return fmt.Sprintf("the path %q has an empty name in it", path)
		case ".", "..":
			return fmt.Sprintf("the path %q is not absolute", path)
		}
	}
	return ""
}

func create(n *Node, r Request) reply.Reply {
	owner := ""
	if r.Ephemeral {
		owner = r.process
	}
	path, refused := n.tree.create(r.Path, r.Data, owner, r.Sequential)
	if refused.IsError() {
		return refused
	}
	n.fire(path, created, false)
	n.fire(parent(path), childrenChanged, true)
	return reply.OfArray(reply.OfBulk(path), reply.OfInt(n.tree.zxid))
}

func remove(n *Node, r Request) reply.Reply {
	if refused := n.tree.delete(r.Path, r.Version); refused.IsError() {
		return refused
	}
	n.removed(r.Path)
	return reply.OK
}

func set(n *Node, r Request) reply.Reply {
	if refused := n.tree.set(r.Path, r.Data, r.Version); refused.IsError() {
		return refused
	}
	n.fire(r.Path, dataChanged, false)
	return n.tree.at(r.Path).stat()
}

func get(n *Node, r Request) reply.Reply {
	z := n.tree.at(r.Path)
	if z == nil {
		return failed("NONODE", r.Path)
	}
	n.watch(r, false)
	return reply.OfArray(reply.OfBulk(z.data), z.stat())
}

func exists(n *Node, r Request) reply.Reply {
	n.watch(r, false)
	z := n.tree.at(r.Path)
	if z == nil {
		return reply.Reply{}
	}
	return z.stat()
}

func children(n *Node, r Request) reply.Reply {
	if n.tree.at(r.Path) == nil {
		return failed("NONODE", r.Path)
	}
	n.watch(r, true)
	names := []reply.Reply{}
	for _, name := range n.tree.children(r.Path) {
		names = append(names, reply.OfBulk(name))
	}
	return reply.OfArray(names...)
}

// watch keeps what a read asks to be told of. The server forgets it with the connection, and
// a client that gets no reply does not ask again.
func (n *Node) watch(r Request, children bool) {
	if r.Watch && r.process != "" && n.client(r.process).connected() {
		n.watches.add(watch{path: r.Path, process: r.process, children: children, absent: n.tree.at(r.Path) == nil})
	}
}

func (z *znode) stat() reply.Reply { return Stat(z.czxid, z.mzxid, z.version, z.owner) }

// Stat is what ZooKeeper says of a znode besides its data; without an owner it is not ephemeral.
func Stat(czxid, mzxid int64, version int, owner string) reply.Reply {
	fields := []reply.Reply{
		reply.OfBulk("czxid"), reply.OfInt(czxid),
		reply.OfBulk("mzxid"), reply.OfInt(mzxid),
		reply.OfBulk("version"), reply.OfInt(int64(version)),
	}
	if owner != "" {
		fields = append(fields, reply.OfBulk("owner"), reply.OfBulk(owner))
	}
	return reply.OfMap(fields...)
}
