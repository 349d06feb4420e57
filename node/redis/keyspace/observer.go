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

// SetObserver has an observer told of everything from now on; nil ends that. A fork has none.
func (k *Keyspace) SetObserver(o Observer) { k.observer = o }

// observeRead tells of a command that has run.
func (k *Keyspace) observeRead(c *Command, args []string) {
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
