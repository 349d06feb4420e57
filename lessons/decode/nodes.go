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
		p.write = "nodes: {m: {}, r: {replica-of: m}}"
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
		if !n.ok() || !d.name(n.key, n.name) {
			continue
		}
		if slices.ContainsFunc(nodes, func(o lessons.Node) bool { return o.Name == n.name }) {
			d.twice(n.key, n.name, fact.Of("lesson-own-name"))
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
			if d.name(m.key, m.name) {
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
			d.fail(f.MaxLag.node, lessons.CodeValue, fact.Of("lesson-lag-seconds"), f.MaxLag.toWrite())
		}
		m.MaxLag = span
	}
	switch {
	case f.ToWrite.key != nil:
		m.ToWrite = d.count(f.ToWrite, limits["nodes"]-1)
		return m
	case f.MaxLag.key != nil:
		d.fail(f.MaxLag.key, lessons.CodeValue, fact.Of("lesson-lag-alone"), fact.Of("lesson-add-to-write"))
	}
	return engine.MinReplicas{}
}

// ownKeys reports the first key that a node's kind does not have; false: there is one.
func (d *decoder) ownKeys(f nodeForm, n lessons.Node) bool {
	for _, v := range f.values {
		key := v.stand()
		has := func(k node.Kind) bool { return slices.Contains(k.Keys, key.name) }
		if i := slices.IndexFunc(lessons.NodeKinds, has); i >= 0 && !has(n.Kind.Row()) {
			d.fail(key.key, lessons.CodeValue, fact.Of("lesson-node-has-no", n.Name, n.Kind, key.name),
				fact.Of("lesson-write-kind", lessons.NodeKinds[i].Name))
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
				d.fail(leader.node, lessons.CodeValue, fact.Of("lesson-several-servers", names[end], d.lesson.Nodes[end].Kind), fact.Of("lesson-drop-replica-of"))
				break
			}
		}
		switch {
		case !d.keeps(leader.node, names[i]), of >= 0 && !d.keeps(leader.node, names[of]):
		case of < 0:
			d.unknown(leader.node, fact.Of("lesson-no-node", leader.text), leader.text, slices.Delete(slices.Clone(names), i, i+1))
		case of == i:
			d.fail(leader.node, lessons.CodeValue, fact.Of("lesson-replica-of-itself", names[i]), fact.Of("lesson-name-another-node"))
		case d.lesson.Nodes[of].ReplicaOf != "":
			d.fail(leader.node, lessons.CodeValue, fact.Of("lesson-replica-of-replica", names[of]),
				fact.Of("lesson-name-leader", d.lesson.Nodes[of].ReplicaOf))
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
			d.fail(d.member(f, r.Node), lessons.CodeValue, fact.Of("lesson-slot-twice", ranges[i-1].Node, r.Node, r.First), fact.Of("lesson-begin-with", next))
			return
		case r.First > next:
			d.fail(d.member(f, r.Node), lessons.CodeValue, fact.Of("lesson-slots-nowhere", slotsText(next, r.First-1)), fact.Of("lesson-give-to-one"))
			return
		}
		next = r.Last + 1
	}
	if next < cluster.Slots {
		d.fail(d.member(f, ranges[len(ranges)-1].Node), lessons.CodeValue, fact.Of("lesson-slots-nowhere", slotsText(next, cluster.Slots-1)), fact.Of("lesson-give-to-one"))
	}
	d.lesson.Cluster = ranges
	for _, m := range d.lesson.Moving {
		if owner := cluster.Owner(ranges, m.Slot); owner != m.From {
			d.fail(d.member(f, m.From), lessons.CodeValue, fact.Of("lesson-slot-not-there", m.Slot, m.From), fact.Of("lesson-write-at-owner", owner))
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
		d.fail(m.key, lessons.CodeValue, fact.Of("lesson-has-no-slots", m.name, n.Kind), fact.Of("lesson-out-of-cluster"))
		return nil, false
	}
	if !d.keeps(m.key, m.name) {
		return nil, false
	}
	if d.lesson.Replicates(m.name) {
		d.fail(m.key, lessons.CodeValue, fact.Of("lesson-cluster-or-replica", m.name), fact.Of("lesson-drop-one-of-two"))
		return nil, false
	}
	var ranges []cluster.Range
	for part := range strings.SplitSeq(m.text, ",") {
		found := slotsPart.FindStringSubmatch(strings.TrimSpace(part))
		if found == nil {
			d.fail(m.node, lessons.CodeValue, fact.Of("lesson-no-range", part), fact.Of("lesson-write-range"))
			return nil, false
		}
		first, _ := strconv.Atoi(found[1])
		last, _ := strconv.Atoi(cmp.Or(found[2], found[1]))
		if first > last || last >= cluster.Slots {
			d.fail(m.node, lessons.CodeValue, fact.Of("lesson-no-range", part), fact.Of("lesson-range-bounds", cluster.Slots-1))
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
		d.fail(n, lessons.CodeValue, fact.Of("lesson-two-ends"), fact.Of("lesson-name-two-ends"))
	case !from && !to:
		d.fail(n, lessons.CodeValue, fact.Of("lesson-two-processes", c.Target, c.Other), fact.Of("lesson-name-two-ends"))
	case from && to && !following:
		d.fail(n, lessons.CodeValue, fact.Of("lesson-no-replicas-link", c.Target, c.Other), fact.Of("lesson-name-two-ends"))
	default:
		return true
	}
	return false
}
