package luaexec

// rand48 is the generator behind math.random, the one that Redis brings along
// so that scripts give the same numbers everywhere. Its state outlives a script.
type rand48 struct {
	x uint64 // 48 bits
}

const rand48Low = 0x330E

// newRand48 is the generator of a server that has just started.
func newRand48() rand48 { return rand48{x: 0x1234_ABCD_330E} }

// Seed starts the sequence of a seed.
func (r *rand48) Seed(seed int32) { r.x = uint64(uint32(seed))<<16 | rand48Low }

// Next is the next number of 31 bits.
func (r *rand48) Next() int32 {
	r.x = (r.x*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(r.x >> 17)
}

// max31 is the largest number that Next gives.
const max31 = 1<<31 - 1

// Float is the next number of [0, 1), as Lua's math.random makes it.
func (r *rand48) Float() float64 { return float64(r.Next()%max31) / float64(max31) }
