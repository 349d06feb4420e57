package luaexec

// Random is the generator behind math.random, the one that Redis brings along
// so that scripts give the same numbers everywhere. Its state outlives a script.
type Random struct {
	x uint64 // 48 bits
}

// RandomLow are the 16 low bits of a seeded state: drand48 sets them whatever the seed.
const RandomLow = 0x330E

// NewRandom is the generator of a server that has just started.
func NewRandom() Random { return Random{x: 0x1234_ABCD_330E} }

// Seed starts the sequence of a seed.
func (r *Random) Seed(seed int32) { r.x = uint64(uint32(seed))<<16 | RandomLow }

// Next is the next number of 31 bits.
func (r *Random) Next() int32 {
	r.x = (r.x*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(r.x >> 17)
}

// max31 is the largest number that Next gives.
const max31 = 1<<31 - 1

// Float is the next number of [0, 1), as Lua's math.random makes it.
func (r *Random) Float() float64 { return float64(r.Next()%max31) / float64(max31) }

// State is all that decides which numbers come.
func (r *Random) State() uint64 { return r.x }
