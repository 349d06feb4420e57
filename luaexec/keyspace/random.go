package keyspace

// draw is the next random number below n. What SPOP, SRANDMEMBER and the like
// take depends on nothing but how many were drawn before: it is the same on
// every run and for every fork, and it is not what Redis takes, whose numbers
// come from the system. math.random of a script has its own numbers.
func (k *Keyspace) draw(n int) int {
	k.drawn++
	return int(mix(k.drawn, 0x9E3779B97F4A7C15) % uint64(n))
}
