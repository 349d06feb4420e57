package lua

import "strings"

// Activation is a call of a function of Lua that has not returned.
type Activation struct {
	Chunk       string     // as messages call it
	Line        int        // where the statement begins that it is at; 0 at its end
	First, Last int        // lines of the function; 0 of a main chunk
	Locals      []Variable // in scope, in the order in which they were declared
	Outer       []Variable // of functions around this one, those that it uses
}

// Variable is a variable with its value.
type Variable struct {
	Name  string
	Value Value
}

// Activations are the calls on the stack of a thread that does not run, innermost
// first: one that waits, or one that failed, where it did.
func (L *State) Activations() []Activation {
	var found []Activation
	for i := L.depth; i > 0; i-- {
		if c := &L.calls[i]; c.fn.proto != nil && c.pc > 0 {
			found = append(found, L.activation(c))
		}
	}
	return found
}

// Chunk is what messages call the source of the function of Lua that runs.
func (L *State) Chunk() string { return L.calls[L.depth].fn.proto.shown }

func (L *State) activation(c *call) Activation {
	p := c.fn.proto
	a := Activation{Chunk: p.shown, Line: p.beginOf(c.pc - 1), First: p.lineDefined, Last: p.lastLine}
	at := c.base
	for i, l := range p.locals {
		if l.start > c.pc-1 {
			break
		}
		if c.pc-1 >= l.until {
			continue
		}
		// What the compiler keeps for itself has a name in brackets, and arg is what
		// ... was called in Lua 5.0.
		if !strings.HasPrefix(l.name, "(") && !(p.vararg&hasArg != 0 && i == p.params) {
			a.Locals = append(without(a.Locals, l.name), Variable{l.name, L.stack[at]})
		}
		at++
	}
	for i, name := range p.upvalues {
		a.Outer = append(a.Outer, Variable{name, *c.fn.upvalues[i].at})
	}
	return a
}

// beginOf is the line where the statement of an instruction begins, 0 if it is of none.
func (p *Proto) beginOf(pc int) int {
	if n := p.statements[pc]; n > 0 {
		return int((*p.begin)[n-1])
	}
	return 0
}

// without leaves out a variable that another one of its name hides.
func without(variables []Variable, name string) []Variable {
	for i, v := range variables {
		if v.Name == name {
			return append(variables[:i], variables[i+1:]...)
		}
	}
	return variables
}
