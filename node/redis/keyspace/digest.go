package keyspace

import (
	"cmp"
	"math"
	"math/bits"
)

// Digest is a hash of a keyspace's content: clock, keys, values, deadlines, subscriptions
// and the number of random numbers drawn. It does not depend on the history of the
// keyspace, unless a client can tell: by the order in which HGETALL answers, and not by that of
// SMEMBERS, which a lesson sorts. Nor does it depend on messages that nobody has taken yet. It
// is the same on every platform.
func (k *Keyspace) Digest() uint64 {
	// A sum does not depend on the iteration order of a map.
	var sum uint64
	for name, e := range k.keys {
		if k.overdue(e) {
			continue
		}
		sum += mix(e.digest(name), uint64(e.deadline))
	}
	d := mix(sum, uint64(k.now))
	d = k.audienceDigest(d)
	if k.drawn != 0 {
		d = mix(d, k.drawn)
	}
	return d
}

// digest covers name, type and value, and is cached.
func (e *entry) digest(name string) uint64 {
	if sum := e.sum.Load(); sum != 0 {
		return sum
	}
	sum := cmp.Or(mix(hashText(uint64(e.kind)+1, name), e.valueDigest()), 1) // 0 means that the sum is not known
	e.sum.Store(sum)
	return sum
}

func (e *entry) valueDigest() uint64 {
	var d uint64
	switch e.kind {
	case stringType:
		return hashText(0, e.text)
	case hashType:
		for _, p := range e.hash.pairs { // in their order, in which HKEYS, HVALS and HGETALL answer
			d = mix(d, mix(hashText(0, p.name), hashText(1, p.value)))
		}
	case listType:
		for _, s := range e.list.items() {
			d = hashText(d, s)
		}
	case setType:
		return e.set.fields.digest()
	case zsetType:
		for _, it := range e.zset.items {
			d += mix(hashText(0, it.member), math.Float64bits(it.score))
		}
	case streamType:
		return e.stream.digest()
	}
	return d
}

// digest does not depend on the order of the fields.
func (h *hash) digest() uint64 {
	var d uint64
	for _, p := range h.pairs {
		d += mix(hashText(0, p.name), hashText(1, p.value))
	}
	return d
}

// mix is a 64-bit hash of two words: the folded product that wyhash uses.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return hi ^ lo
}

func hashText(seed uint64, s string) uint64 {
	h := seed ^ 0x8ebc6af09c88c6e3
	n := uint64(len(s))
	for len(s) >= 8 {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
		s = s[8:]
	}
	var tail uint64
	for i := range len(s) {
		tail |= uint64(s[i]) << (8 * i)
	}
	return mix(mix(h, tail), n)
}
