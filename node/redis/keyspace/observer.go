package keyspace

import "lockstep/engine/reply"

// Observer is told what happens to the keys of a server, as it happens.
type Observer interface {
	// Ran says which command has run, of a client, of a script or of EXEC.
	Ran(c *Command, args []string)
	// Changed says that a key was written, was deleted or expired: what makes EXEC fail for who
	// watches it, even if the value stays the same.
	Changed(key string)
	// Flushed says that all keys are about to be deleted.
	Flushed()
}

// Refusals is an Observer that is also told of each error that a script got for a command, or for a global that it
// named in place of one, whatever it makes of it.
type Refusals interface {
	Refused(args []string, failed reply.Reply)
}

// SetObserver has an observer told of everything from now on; nil ends that. A fork has none.
func (k *Keyspace) SetObserver(o Observer) { k.observer = o }

// touch tells the observer that a key changed.
func (k *Keyspace) touch(name string) {
	if k.observer != nil {
		k.observer.Changed(name)
	}
}

// Refuse tells the observer of an error that a script got for a command.
func (k *Keyspace) Refuse(args []string, failed reply.Reply) {
	if o, asks := k.observer.(Refusals); asks {
		o.Refused(args, failed)
	}
}
