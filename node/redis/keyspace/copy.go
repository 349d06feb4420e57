package keyspace

import "time"

// TurnBack moves the clock back, as that of a server may be.
func (k *Keyspace) TurnBack(to time.Duration) { k.now = to }

// Load replaces all keys by those of another keyspace, deadlines included. Clock,
// bounds and subscribers stay.
func (k *Keyspace) Load(from *Keyspace) {
	f := from.Fork()
	k.owner = nil
	k.keys, k.due, k.timed, k.records = f.keys, f.due, f.timed, f.records
	f.account.limit = k.account.limit
	k.account = f.account
}
