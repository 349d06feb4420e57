package cluster

import "strings"

// Slots is how many slots a cluster has.
const Slots = 16384

// Slot is the slot of a key: CRC16 of its hash tag, or of all of it.
func Slot(key string) int { return int(crc16(tag(key)) % Slots) }

// Split gives each node as many slots, as redis-cli --cluster create does.
func Split(nodes []string) (all []Range) {
	first, n := 0, len(nodes)
	for i, node := range nodes {
		last := (2*(i+1)*Slots+n)/(2*n) - 1
		all = append(all, Range{node, first, last})
		first = last + 1
	}
	return all
}

// tag is what stands between the first { of a key and the next }, if anything does.
func tag(key string) string {
	if _, rest, ok := strings.Cut(key, "{"); ok {
		if tag, _, closed := strings.Cut(rest, "}"); closed && tag != "" {
			return tag
		}
	}
	return key
}

// crc16 is CRC-16/XMODEM: polynomial 0x1021, begun with 0.
func crc16(text string) uint16 {
	var crc uint16
	for i := range len(text) {
		crc ^= uint16(text[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}
