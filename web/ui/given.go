package ui

import "lockstep/engine"

// given are the keys that servers hold before the first step, beside their lanes.
func (d diagram) given(v *View) []written {
	var all []written
	for i, l := range d.Lanes {
		n, _ := v.Trace.Start.Node(l.Node)
		if len(n.Keys) == 0 {
			continue
		}
		w := written{Lane: i, Columns: max(1, v.leases(l.Node).most[0]), y: axisHead - 4}
		for _, k := range n.Keys {
			part, _ := keyChange(v, &engine.Step{}, engine.Change{Node: l.Node, Key: k.Name, New: &k})
			part.Short, part.Whole = part.Text, true // a value tells nothing without its name
			w.Parts = append(w.Parts, part)
		}
		all = append(all, w)
	}
	return all
}
