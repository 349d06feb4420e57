package keyspace

// bytesPerStep estimates how many bytes of a value a slow command processes in the time of
// one script instruction.
const bytesPerStep = 64

// Work estimates the cost of a command that has just run, in script instructions: nearly
// none, unless it is Slow.
func (c *Command) Work(k *Keyspace, args []string) int64 {
	switch {
	case !c.Is(Slow):
		return 0
	case c.keys == noKeys:
		return int64(k.Len())
	}
	bytes := int64(0)
	for _, at := range c.keys.positions(args) {
		if e := k.find(args[at]); e != nil {
			bytes += e.bytes()
		}
	}
	return bytes / bytesPerStep
}
