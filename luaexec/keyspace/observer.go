package keyspace

// Observer is told what happens to the keys of a server, as it happens.
type Observer interface {
	// Read says which keys a command has read, there or not.
	Read(keys []string)
	// Changed says that a key was written, was deleted or expired.
	Changed(key string)
	// Flushed says that all keys were deleted.
	Flushed()
}

// Tell sets the observer; nil removes it. A fork has none.
func (k *Keyspace) Tell(o Observer) { k.observer = o }

// tellRead tells the observer which keys a command has read.
func (k *Keyspace) tellRead(c *Command, args []string) {
	if !c.Is(ReadOnly) || c.Is(PubSub) {
		return
	}
	var keys []string
	for _, i := range c.KeyPositions(args) {
		keys = append(keys, args[i])
	}
	if len(keys) > 0 {
		k.observer.Read(keys)
	}
}
