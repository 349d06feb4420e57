package client

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"lockstep/engine"
	"lockstep/luaexec"
)

var _ engine.Digester = (*coroutine)(nil)

// Digest tells apart what the thread and its tasks will do: they share their globals.
func (c *coroutine) Digest() [16]byte {
	m := c.machine
	d := m.dumper
	d.Begin()
	d.Value(m.state.G.Global)
	for _, living := range m.living {
		d.Text(living.name)
		d.Value(living.fn)
		d.Thread(living.thread)
		d.Text(requestText(living.waiting))
	}
	for _, name := range slices.Sorted(maps.Keys(m.spawned)) {
		d.Text(name)
	}
	sum := sha256.Sum256(d.Bytes())
	return [16]byte(sum[:])
}

// ClockReads counts how often the thread and its tasks have read their clock.
func (c *coroutine) ClockReads() int { return c.machine.clockReads }

func (m *machine) newDumper() *luaexec.Dumper {
	return m.sandbox.NewDumper(m.state, m.program.code, func(v any) string {
		if r, ok := v.(engine.Request); ok {
			return requestText(r)
		}
		return fmt.Sprintf("%T %v", v, v)
	}, m.starter)
}

// requestText tells requests apart.
func requestText(r engine.Request) string {
	switch r := r.(type) {
	case nil:
		return ""
	case engine.Spawn:
		return "spawn " + r.Name
	case engine.Exec:
		script := ""
		if r.Op.Script != nil {
			script = r.Op.Script.Name
		}
		var transaction string
		if t := r.Transaction; t != nil {
			transaction = fmt.Sprintf("%q %t %t", t.Watch, t.Forget, t.Commit)
			for _, op := range t.Ops {
				transaction += requestText(engine.Exec{Op: op})
			}
		}
		r.Op.Script, r.Transaction = nil, nil // or their addresses would be written
		return fmt.Sprintf("%q %s %#v", script, transaction, r)
	}
	return fmt.Sprintf("%#v", r)
}

// seesOrder tells whether the program's code names what walks over tables.
func (p *Program) seesOrder() bool {
	walks := []string{"pairs", "next", "_G", "getfenv"}
	return luaexec.Mentions(p.main, walks...) || luaexec.Mentions(p.library, walks...)
}
