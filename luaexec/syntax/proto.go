// Package syntax compiles Lua 5.1 as PUC-Rio's compiler does, not to run it but to
// say what that says of it: whether it is Lua, what is wrong if it is not, and which
// variable an error is about.
//
// It makes the same code for the same registers, because the limits of a function
// are counted in them. Its algorithms are those of PUC-Rio's Lua 5.1.5 (Copyright
// 1994-2012 Lua.org, PUC-Rio; MIT licence).
package syntax

// Proto is the code of a function.
type Proto struct {
	code      []instruction
	constants []any
	protos    []*Proto
	lines     []int32 // of each instruction
	locals    []localVar
	upvalues  []string // names

	lineDefined int // 0 for a main chunk
	params      int
	registers   int
	vararg      varargKind
}

// Zero is the zero among the constants. There is one: 0 and -0 have the sign of the
// first.
func (p *Proto) Zero() float64 {
	for _, c := range p.constants {
		if n, ok := c.(float64); ok && n == 0 {
			return n
		}
	}
	return 0
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
