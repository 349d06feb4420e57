// Package lua is Lua 5.1 as Redis builds it: the compiler and the machine, without
// libraries.
//
// Its algorithms are those of PUC-Rio's Lua 5.1.5 (Copyright 1994-2012 Lua.org,
// PUC-Rio; MIT licence), down to the code that it compiles to and the places of keys
// in a table, because these show: in the words of errors, in limits, in the order of
// pairs and in what # says of an array with holes. What it adds are bounds: on
// instructions, on memory, on the length of a string.
package lua

// Proto is the code of a function.
type Proto struct {
	code      []instruction
	constants []Value
	hashes    []uint32 // of the constants that are strings
	protos    []*Proto
	lines     []int32 // of each instruction

	// Of each instruction the statement that it is of, numbered from 1 through the
	// source, or 0; and the lines where the statements begin, of the whole source.
	statements []int32
	begin      *[]int32

	locals   []localVar
	upvalues []string // names

	source, shown string // the chunk, and what messages call it

	lineDefined int // 0 for a main chunk
	lastLine    int
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

// size is how many bytes the code takes, that of inner functions included.
func (p *Proto) size() int {
	const ofProto, ofInstruction, ofConstant, ofName = 256, 8, 40, 40
	n := ofProto + ofInstruction*len(p.code) + ofConstant*len(p.constants) + ofName*(len(p.locals)+len(p.upvalues))
	for _, v := range p.constants {
		if s, ok := v.(string); ok {
			n += len(s)
		}
	}
	for _, inner := range p.protos {
		n += inner.size()
	}
	return n
}
