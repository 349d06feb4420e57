// Package sha1 is SHA-1 alone (RFC 3174). The standard library's brings tests of a
// dozen other algorithms along, which run when a program starts.
package sha1

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a sum in bytes.
const Size = 20

// Sum is the SHA-1 of data.
func Sum(data []byte) [Size]byte {
	length := uint64(len(data)) * 8
	data = append(data[:len(data):len(data)], 0x80)
	for len(data)%64 != 56 {
		data = append(data, 0)
	}
	data = binary.BigEndian.AppendUint64(data, length)

	h := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	for ; len(data) > 0; data = data[64:] {
		var w [80]uint32
		for t := range w {
			if t < 16 {
				w[t] = binary.BigEndian.Uint32(data[4*t:])
			} else {
				w[t] = bits.RotateLeft32(w[t-3]^w[t-8]^w[t-14]^w[t-16], 1)
			}
		}
		a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
		for t := range w {
			var f uint32
			switch {
			case t < 20:
				f = (b&c | ^b&d) + 0x5a827999
			case t < 40:
				f = (b ^ c ^ d) + 0x6ed9eba1
			case t < 60:
				f = (b&c | b&d | c&d) + 0x8f1bbcdc
			default:
				f = (b ^ c ^ d) + 0xca62c1d6
			}
			a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+w[t], a, bits.RotateLeft32(b, 30), c, d
		}
		for i, v := range [5]uint32{a, b, c, d, e} {
			h[i] += v
		}
	}
	var sum [Size]byte
	for i, v := range h {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}
