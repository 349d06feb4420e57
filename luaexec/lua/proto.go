package lua

import "strings"

// Proto is compiled code. It never changes, so that states share it.
type Proto struct {
	code      []instruction
	constants []Value
	protos    []*Proto
	lines     []int32 // of each instruction
	locals    []localVar
	upvalues  []string // names

	chunk       string // what messages call the source
	source      string // the name as it was given, = or @ included
	lineDefined int    // 0 for a main chunk
	params      int
	registers   int
	vararg      varargKind
}

type varargKind uint8

const (
	hasArg   varargKind = 1 << iota // the table arg of Lua 5.0
	isVararg                        // the function ends its parameters with ...
	needsArg                        // ... is not used, so that arg might be
)

type localVar struct {
	name         string
	start, until int // instructions
}

// localName is the nth local that is active at an instruction, from 1.
func (p *Proto) localName(n, pc int) string {
	for i := range p.locals {
		l := &p.locals[i]
		if l.start > pc {
			break
		}
		if pc < l.until {
			if n--; n == 0 {
				return l.name
			}
		}
	}
	return ""
}

// Mentions tells whether one of the names is a string constant anywhere in the
// code.
func (p *Proto) Mentions(names map[string]bool) bool {
	for _, c := range p.constants {
		if s, ok := c.AsString(); ok && names[s] {
			return true
		}
	}
	for _, inner := range p.protos {
		if inner.Mentions(names) {
			return true
		}
	}
	return false
}

// SetsFields tells whether the code assigns to a field of a table, which may be
// one that it did not make.
func (p *Proto) SetsFields() bool {
	for _, i := range p.code {
		if i.op() == opSetTable {
			return true
		}
	}
	for _, inner := range p.protos {
		if inner.SetsFields() {
			return true
		}
	}
	return false
}

// DisplayName is how messages show the name of a chunk: a name after = or @ as it
// is, a source by its first line.
func DisplayName(source string) string {
	const room = 60
	if rest, ok := strings.CutPrefix(source, "="); ok {
		return rest[:min(len(rest), room-1)]
	}
	if rest, ok := strings.CutPrefix(source, "@"); ok {
		const limit = room - len(" '...' ") - 1
		if len(rest) > limit {
			return "..." + rest[len(rest)-limit:]
		}
		return rest
	}
	const limit = room - len(` [string "..."] `) - 1
	source, _, _ = strings.Cut(source, "\x00")
	line := source
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if len(line) > limit {
		line = line[:limit]
	}
	if len(line) < len(source) {
		return `[string "` + line + `..."]`
	}
	return `[string "` + line + `"]`
}
