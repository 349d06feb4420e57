package decode

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/node"
	"lockstep/node/redis/cluster"
)

// nodesForm is a list of names, or a mapping from names to the keys of each node.
type nodesForm struct{ listOf[nodeForm] }

func (f *nodesForm) read(d *decoder, p at) {
	if _, mapped := p.node.(*ast.MappingNode); mapped {
		p.form.each = "the node"
		p.write = "write nodes: {m: {}, r: {replica-of: m}}"
		var m mapOf[nodeForm]
		m.read(d, p)
		f.listOf = m.listOf
		return
	}
	f.listOf.read(d, p)
}

func (n *nodeForm) read(d *decoder, p at) {
	if p.key == nil { // of a list
		var name plainText
		name.read(d, p)
		n.at, n.key, n.name = name.at, name.node, name.text
		return
	}
	n.at = p
	if _, empty := p.node.(*ast.NullNode); !empty {
		d.keys(n, p)
	}
}

// nodes reads the servers. Without a list of them, the members of the cluster are the servers.
func (d *decoder) nodes(f *lessonForm) {
	var nodes []lessons.Node
	var replicas []plainText
	for _, n := range f.Nodes.items {
		if !n.ok() || !d.name(n.key, n.name, "a node") {
			continue
		}
		if slices.ContainsFunc(nodes, func(o lessons.Node) bool { return o.Name == n.name }) {
			d.twice(n.key, n.name, "give each node a name of its own")
		}
		node := lessons.Node{Name: n.name, Kind: lessons.Redis, ReplicaOf: n.ReplicaOf.text, Version: n.Version.text}
		if n.Kind.text != "" {
			node.Kind = lessons.NodeKind(n.Kind.text)
		}
		if span, ok := d.span(n.Session); ok {
			node.Session = span
		}
		node.Min = d.minReplicas(n)
		if d.ownKeys(n, node) {
			d.tables(n, node)
		}
		nodes, replicas = append(nodes, node), append(replicas, n.ReplicaOf)
		d.declare("node", n.name, n.key)
	}
	if !f.Nodes.given() {
		for _, m := range f.Cluster.items {
			if d.name(m.key, m.name, "a node") {
				nodes, replicas = append(nodes, lessons.Node{Name: m.name, Kind: lessons.Redis}), append(replicas, plainText{})
				d.declare("node", m.name, m.key)
			}
		}
	}
	if len(nodes) > 0 {
		d.lesson.Nodes = nodes
		d.replicas(replicas)
	}
}

// defaultMaxLag is Redis's min-replicas-max-lag.
const defaultMaxLag = 10 * time.Second

// minReplicas reads how many replicas a node must hear to take writes.
func (d *decoder) minReplicas(f nodeForm) engine.MinReplicas {
	m := engine.MinReplicas{MaxLag: defaultMaxLag}
	if span, ok := d.span(f.MaxLag); ok {
		if span < time.Second || span%time.Second != 0 {
			d.fail(f.MaxLag.node, lessons.CodeValue, "a lag is whole seconds, at least one", f.MaxLag.write)
		}
		m.MaxLag = span
	}
	switch {
	case f.ToWrite.key != nil:
		m.ToWrite = d.count(f.ToWrite, limits["nodes"]-1)
		return m
	case f.MaxLag.key != nil:
		d.fail(f.MaxLag.key, lessons.CodeValue, "min-replicas-max-lag says nothing without min-replicas-to-write", "add min-replicas-to-write: 1")
	}
	return engine.MinReplicas{}
}

// ownKeys reports the first key that a node's kind does not have; false: there is one.
func (d *decoder) ownKeys(f nodeForm, n lessons.Node) bool {
	for _, v := range f.values {
		key := v.stand()
		has := func(k node.Kind) bool { return slices.Contains(k.Keys, key.name) }
		if i := slices.IndexFunc(lessons.NodeKinds, has); i >= 0 && !has(n.Kind.Row()) {
			d.fail(key.key, lessons.CodeValue, fmt.Sprintf("%s is a %s node, which has no %s", n.Name, n.Kind, key.name),
				fmt.Sprintf("write kind: %s, or leave it out", lessons.NodeKinds[i].Name))
			return false
		}
	}
	return true
}

// replicas checks that each replica's leader exists and leads.
func (d *decoder) replicas(leaders []plainText) {
	names := d.lesson.NodeNames()
	for i, leader := range leaders {
		if !leader.ok() {
			continue
		}
		of := slices.Index(names, leader.text)
		for _, end := range []int{i, of} {
			if end >= 0 && d.lesson.Nodes[end].Kind.Row().Ensemble {
				d.fail(leader.node, lessons.CodeValue, fmt.Sprintf("%s is a %s, which is several servers by itself", names[end], d.lesson.Nodes[end].Kind), "leave replica-of out")
				break
			}
		}
		switch {
		case !d.keeps(leader.node, names[i]), of >= 0 && !d.keeps(leader.node, names[of]):
		case of < 0:
			d.unknown(leader.node, fact.Of("lesson-no-node", leader.text), leader.text, slices.Delete(slices.Clone(names), i, i+1))
		case of == i:
			d.fail(leader.node, lessons.CodeValue, fmt.Sprintf("%s cannot be a replica of itself", names[i]), "name another node")
		case d.lesson.Nodes[of].ReplicaOf != "":
			d.fail(leader.node, lessons.CodeValue, fmt.Sprintf("%s is a replica itself, and a replica has none of its own", names[of]),
				"name the node that leads: "+d.lesson.Nodes[of].ReplicaOf)
		}
	}
}

// slotsPattern is a slot, a range of slots, or a slot on its way to another node.
const slotsPattern = `[0-9]{1,5}(-[0-9]{1,5}| +to +` + namePattern + `)?`

var slotsPart = regexp.MustCompile(`^([0-9]{1,5})(?:-([0-9]{1,5})| +to +(` + namePattern + `))?$`)

// cluster reads the slots of all members: each slot must have one owner, and a moving slot moves from it.
func (d *decoder) cluster(f *lessonForm) {
	var ranges []cluster.Range
	read := f.Cluster.ok()
	for _, m := range f.Cluster.items {
		of, ok := d.slots(m)
		read = read && ok
		ranges = append(ranges, of...)
	}
	if !read {
		return
	}
	slices.SortStableFunc(ranges, func(a, b cluster.Range) int { return a.First - b.First })
	next := 0 // all slots below have an owner
	for i, r := range ranges {
		switch {
		case r.First < next:
			d.fail(d.member(f, r.Node), lessons.CodeValue, fmt.Sprintf("%s and %s both have the slot %d", ranges[i-1].Node, r.Node, r.First), fmt.Sprintf("begin with %d", next))
			return
		case r.First > next:
			d.fail(d.member(f, r.Node), lessons.CodeValue, "no node has the slots "+slotsText(next, r.First-1), "give them to one")
			return
		}
		next = r.Last + 1
	}
	if next < cluster.Slots {
		d.fail(d.member(f, ranges[len(ranges)-1].Node), lessons.CodeValue, "no node has the slots "+slotsText(next, cluster.Slots-1), "give them to one")
	}
	d.lesson.Cluster = ranges
	for _, m := range d.lesson.Moving {
		if owner := cluster.Owner(ranges, m.Slot); owner != m.From {
			d.fail(d.member(f, m.From), lessons.CodeValue, fmt.Sprintf("the slot %d moves from %s, which does not have it", m.Slot, m.From), "write it where "+owner+" has its slots")
		}
	}
}

func slotsText(first, last int) string { return fmt.Sprintf("%d-%d", first, last) }

// member is the place of a member's slots.
func (d *decoder) member(f *lessonForm, name string) ast.Node {
	i := slices.IndexFunc(f.Cluster.items, func(m plainText) bool { return m.name == name })
	return f.Cluster.items[i].node
}

func (d *decoder) slots(m plainText) ([]cluster.Range, bool) {
	if !m.ok() || !d.isNode(m.key, m.name) {
		return nil, false
	}
	if n, _ := d.lesson.Node(m.name); n.Kind.Row().Ensemble {
		d.fail(m.key, lessons.CodeValue, fmt.Sprintf("%s is a %s, and has no slots", m.name, n.Kind), "leave it out of the cluster")
		return nil, false
	}
	if !d.keeps(m.key, m.name) {
		return nil, false
	}
	if d.lesson.Replicates(m.name) {
		d.fail(m.key, lessons.CodeValue, m.name+" cannot be in a cluster and have a replica, or be one", "leave one of cluster and replica-of out")
		return nil, false
	}
	var ranges []cluster.Range
	for part := range strings.SplitSeq(m.text, ",") {
		found := slotsPart.FindStringSubmatch(strings.TrimSpace(part))
		if found == nil {
			d.fail(m.node, lessons.CodeValue, fmt.Sprintf("%q is no range of slots", part), "write the first and the last: 0-5460")
			return nil, false
		}
		first, _ := strconv.Atoi(found[1])
		last, _ := strconv.Atoi(cmp.Or(found[2], found[1]))
		if first > last || last >= cluster.Slots {
			d.fail(m.node, lessons.CodeValue, fmt.Sprintf("%q is no range of slots", part), fmt.Sprintf("the slots of a cluster are 0-%d, and the first stands first", cluster.Slots-1))
			return nil, false
		}
		if to := found[3]; to != "" {
			if !d.isNode(m.node, to) {
				return nil, false
			}
			d.lesson.Moving = append(d.lesson.Moving, cluster.Move{Slot: first, From: m.name, To: to})
			continue
		}
		ranges = append(ranges, cluster.Range{Node: m.name, First: first, Last: last})
	}
	return ranges, true
}

// isNode reports a name that no node has.
func (d *decoder) isNode(n ast.Node, name string) bool {
	names := d.lesson.NodeNames()
	if slices.Contains(names, name) {
		return true
	}
	d.absent(n, "nodes", name, lessons.CodeUnknownName, fact.Of("lesson-no-node", name), lessons.Meant(name, names))
	return false
}

// ends checks that something is sent over a link: between a process and a node, or a replica and a node.
func (d *decoder) ends(n ast.Node, c engine.Choice) bool {
	names := d.lesson.NodeNames()
	from, to := slices.Contains(names, c.Target), slices.Contains(names, c.Other)
	following := slices.ContainsFunc(d.lesson.Nodes, func(r lessons.Node) bool {
		return r.ReplicaOf != "" && (r.Name == c.Target || r.Name == c.Other)
	})
	switch {
	case c.Target == c.Other:
		d.fail(n, lessons.CodeValue, "a link has two ends", "name a process and a node")
	case !from && !to:
		d.fail(n, lessons.CodeValue, fmt.Sprintf("%s and %s are processes, which send each other nothing", c.Target, c.Other), "name a process and a node")
	case from && to && !following:
		d.fail(n, lessons.CodeValue, fmt.Sprintf("%s and %s are no replicas, and send each other nothing", c.Target, c.Other), "name a process and a node")
	default:
		return true
	}
	return false
}
