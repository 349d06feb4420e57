package keyspace

// draw is the next random number below n. It depends only on how many were drawn before, so
// that SPOP, SRANDMEMBER etc. choose the same on every run and in every fork. Redis seeds
// its numbers from the system, so it chooses differently. math.random of a script has its
// own numbers.
func (k *Keyspace) draw(n int) int {
	k.drawn++
	return int(mix(k.drawn, 0x9E3779B97F4A7C15) % uint64(n))
}
