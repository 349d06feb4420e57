package lessons

import (
	"fmt"

	"lockstep/engine"
	"lockstep/lessons/client"
)

// Scenario makes the lesson's actors and rules ready to run on the nodes that Open made.
// An error is a mistake in the lesson's Lua.
func (l *Lesson) Scenario(nodes []engine.NodeSpec) (engine.Scenario, error) {
	s := engine.Scenario{Nodes: nodes, Faults: l.Faults, Resolution: l.Resolution, Timeout: l.Timeout}
	l.join(nodes)
	setup := l.Setup()
	for _, a := range l.Actors {
		program, err := client.Compile(setup, client.Chunk{Name: a.Name, Source: a.Program})
		if err != nil {
			return engine.Scenario{}, fmt.Errorf("lesson %s: %w", l.Name, err)
		}
		s.Actors = append(s.Actors, engine.ActorSpec{
			Name: a.Name, Process: a.Process,
			New: func() engine.Actor {
				if a.Count > 0 {
					return program.StartCrowd(a.Name, a.Process, a.Count)
				}
				return program.Start(a.Name, a.Process)
			},
		})
	}
	for _, name := range l.Invariants {
		rule, _ := engine.Rule(name) // the name was read
		s.Invariants = append(s.Invariants, rule)
	}
	for _, r := range l.Rules {
		inv, err := newLuaRule(r)
		if err != nil {
			return engine.Scenario{}, err
		}
		s.Invariants = append(s.Invariants, inv)
	}
	return s, nil
}

// Setup is what the lesson's programs share: its scripts and its lock client.
func (l *Lesson) Setup() client.Setup {
	setup := client.Setup{
		Node:    l.Nodes[0].Name,
		Opens:   map[string]string{},
		Scripts: make(map[string]*engine.Script, len(l.Scripts)),
		Library: client.Chunk{Name: l.Client.Chunk(), Source: l.Client.Source},
	}
	for _, n := range l.Nodes {
		if open := n.Kind.Row().Prelude; open != "" {
			setup.Opens[n.Name] = open
		}
	}
	for _, s := range l.Scripts {
		setup.Scripts[s.Name] = &engine.Script{Name: s.Name, Source: s.Source}
	}
	return setup
}

// Choices is the whole story, one choice after the other.
func (l *Lesson) Choices() []engine.Choice {
	var cs []engine.Choice
	for _, b := range l.Story {
		cs = append(cs, b.Choices...)
	}
	return cs
}

// BeatsAt are the beats that speak about the world after n steps of the story: the one
// that made the last of them, and those of words alone that follow it. Between the steps
// of a beat there are none.
func (l *Lesson) BeatsAt(n int) []int {
	var beats []int
	done := 0
	for i, b := range l.Story {
		done += len(b.Choices)
		if done == n {
			beats = append(beats, i)
		}
	}
	return beats
}

// HasWords tells whether a beat says something.
func (l *Lesson) HasWords(beat int) bool { return l.Story[beat].Say.HTML != (Text{}) }

// Script finds a script by name.
func (l *Lesson) Script(name string) (Script, bool) {
	return find(l.Scripts, func(s Script) bool { return s.Name == name })
}
