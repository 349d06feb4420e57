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
	do      func(n *Node, a args) reply.Reply
}

// args are a request's arguments.
type args struct {
	process string
	path    string
	data    string
	version int
	options []string
}

func (a args) has(option string) bool { return slices.Contains(a.options, option) }

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
	r, a, refused := read(op)
	if refused.IsError() {
		return refused
	}
	a.process = op.From.Process
	if a.process != "" && n.connect(a.process).expired {
		return failed("SESSIONEXPIRED", a.path)
	}
	return r.do(n, a)
}

// read finds out what is asked. A client finds these mistakes before it sends anything, so
// they are no writes.
func read(op engine.Op) (r request, a args, refused reply.Reply) {
	if op.Script != nil {
		return r, a, reply.OfError("UNIMPLEMENTED scripts: a ZooKeeper runs none")
	}
	name := ""
	if len(op.Args) > 0 {
		name = op.Args[0]
	}
	i := slices.IndexFunc(requests, func(r request) bool { return r.name == name })
	if i < 0 {
		return r, a, reply.OfError("UNIMPLEMENTED " + name + ": a ZooKeeper is asked to create, delete, set, get, exists or children")
	}
	r = requests[i]
	a, problem := r.read(op.Args[1:])
	if problem != "" {
		refused = reply.OfError("BADARGUMENTS " + name + ": " + problem)
	}
	return r, a, refused
}

// read tells a request's arguments apart.
func (r request) read(words []string) (a args, problem string) {
	if len(words) < 1+len(r.needs) {
		return a, "it needs " + strings.Join(append([]string{"a path"}, r.needs...), " and ")
	}
	a.path, a.version = words[0], anyVersion
	if len(r.needs) > 0 {
		a.data = words[1]
	}
	words = words[1+len(r.needs):]
	if r.version && len(words) > 0 {
		v, err := strconv.ParseInt(words[0], 10, 32)
		if err != nil {
			return a, fmt.Sprintf("%q is no version", words[0])
		}
		a.version, words = int(v), words[1:]
	}
	for _, w := range words {
		if !slices.Contains(r.options, w) {
			return a, fmt.Sprintf("it has no option %q", w)
		}
	}
	a.options = words
	path := a.path
	if a.has(sequential) {
		path += "0"
	}
	return a, wrongPath(path)
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

func create(n *Node, a args) reply.Reply {
	owner := ""
	if a.has(ephemeral) {
		owner = a.process
	}
	path, r := n.tree.create(a.path, a.data, owner, a.has(sequential))
	if r.IsError() {
		return r
	}
	n.fire(path, created, false)
	n.fire(parent(path), childrenChanged, true)
	return reply.OfArray(reply.OfBulk(path), reply.OfInt(n.tree.zxid))
}

func remove(n *Node, a args) reply.Reply {
	if r := n.tree.delete(a.path, a.version); r.IsError() {
		return r
	}
	n.removed(a.path)
	return reply.OK
}

func set(n *Node, a args) reply.Reply {
	if r := n.tree.set(a.path, a.data, a.version); r.IsError() {
		return r
	}
	n.fire(a.path, dataChanged, false)
	return n.tree.at(a.path).stat()
}

func get(n *Node, a args) reply.Reply {
	z := n.tree.at(a.path)
	if z == nil {
		return failed("NONODE", a.path)
	}
	n.watch(a, false)
	return reply.OfArray(reply.OfBulk(z.data), z.stat())
}

func exists(n *Node, a args) reply.Reply {
	n.watch(a, false)
	z := n.tree.at(a.path)
	if z == nil {
		return reply.Reply{}
	}
	return z.stat()
}

func children(n *Node, a args) reply.Reply {
	if n.tree.at(a.path) == nil {
		return failed("NONODE", a.path)
	}
	n.watch(a, true)
	names := []reply.Reply{}
	for _, name := range n.tree.children(a.path) {
		names = append(names, reply.OfBulk(name))
	}
	return reply.OfArray(names...)
}

// watch keeps what a read asks to be told of. The server forgets it with the connection, and
// a client that gets no reply does not ask again.
func (n *Node) watch(a args, children bool) {
	if a.has(watching) && a.process != "" && n.client(a.process).connected() {
		n.watches.add(watch{path: a.path, process: a.process, children: children, absent: n.tree.at(a.path) == nil})
	}
}

// stat is what ZooKeeper says of a znode besides its data.
func (z *znode) stat() reply.Reply {
	fields := []reply.Reply{
		reply.OfBulk("czxid"), reply.OfInt(z.czxid),
		reply.OfBulk("mzxid"), reply.OfInt(z.mzxid),
		reply.OfBulk("version"), reply.OfInt(int64(z.version)),
	}
	if z.owner != "" {
		fields = append(fields, reply.OfBulk("owner"), reply.OfBulk(z.owner))
	}
	return reply.OfMap(fields...)
}
