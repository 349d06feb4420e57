package attach

import (
	"slices"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis"
	"lockstep/node/redis/port"
)

// Unseen is the lane of changes whose makers were not seen: keys are found to differ when they are read.
const Unseen = "unseen"

// clockSlack bounds the difference of one deadline between two reads. A read tells the time that is left, which networks and
// clocks distort.
const clockSlack = time.Second

// Keys are the names of the shown keys.
func (r *Recorder) Keys() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range r.keys {
		names = append(names, name)
	}
	return names
}

// LockKeys are those of them that are held locks, or parts of them.
func (r *Recorder) LockKeys() (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range r.keys {
		if r.locks.isPart(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Sources are the texts of the scripts that clients have sent.
func (r *Recorder) Sources() (texts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, sha := range r.seen {
		texts = append(texts, r.sources[sha].text)
	}
	return texts
}

// UnknownScripts is how many scripts clients have run whose text nobody has sent.
func (r *Recorder) UnknownScripts() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.unknown)
}

// Expire has keys expire that were found to be gone a little before their known deadlines.
func (r *Recorder) Expire(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passTo(r.clock())
	for _, name := range names {
		if k := r.keys[name]; k != nil {
			k.Deadline = min(k.Deadline, r.now)
			r.expire(k.Key)
		}
	}
}

// Forget hides keys whose state is no longer known. Holders of locks among them leave their sections without a warning.
func (r *Recorder) Forget(names ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		if r.keys[name] != nil {
			delete(r.keys, name)
			r.hiding = append(r.hiding, name)
			r.leaving = append(r.leaving, r.locks.hide(name, r.now)...)
		}
	}
}

// Unseen takes in keys as they were read at an instant. Each that differs from what is known becomes steps of the lane
// Unseen. next is the command that the keys were read for, which tells whether one of them is a lock; nil: there is none.
func (r *Recorder) Unseen(at engine.Instant, found []port.KeyNow, next *port.Done) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passTo(at - r.begin)
	wanted := ""
	if next != nil {
		r.learn(*next)
		wanted, _ = r.locks.wants(r.actOf(Unseen, *next))
	}
	for _, k := range found {
		is := r.shownKey(k.Key)
		var was *engine.Key
		if old := r.keys[k.Name]; old != nil {
			was = &old.Key
		}
		if !SameKey(was, is) {
			r.unseen(k, is, k.Name == wanted)
		}
	}
}

// SameKey tells whether two reads of a key found the same, deadlines up to clockSlack apart included. A nil key is one that
// is not there.
func SameKey(a, b *engine.Key) bool {
	if a == nil || b == nil {
		return a == b
	}
	was := *b
	if a.Deadline != engine.NoDeadline && b.Deadline != engine.NoDeadline && max(a.Deadline-b.Deadline, b.Deadline-a.Deadline) <= clockSlack {
		was.Deadline = a.Deadline
	}
	return a.Equal(was)
}

// unseen makes a step of one key, as the command that would make it so.
func (r *Recorder) unseen(k port.KeyNow, is *engine.Key, isLock bool) {
	made := [][]string{{"DEL", k.Name}}
	if is != nil {
		made = Making(*k.Key, r.now+r.begin)
		if isLock && is.Type == engine.StringKey && len(made) > 0 {
			made[0] = append(made[0], "NX")
		}
	}
	if len(made) == 0 {
		made = [][]string{{"TOUCH", k.Name}} // too large to be told
	}
	keys := []port.KeyNow{k}
	for _, args := range made {
		answer := reply.OK
		if args[0] != "SET" {
			answer = reply.OfInt(1)
		}
		r.add(&peer{actor: Unseen}, port.Done{Client: port.Peer{Name: Unseen}, Args: args, Keys: keys, Reply: answer})
		keys = nil
	}
}

// Making are commands that make a key what it is at an instant. There are none for a value without its items, nor
// for a stream, whose groups are not known.
func Making(k engine.Key, now engine.Instant) (all [][]string) {
	if k.Type == engine.StreamKey || k.Type != engine.StringKey && len(k.Items) == 0 {
		return nil
	}
	lasting := k
	lasting.Deadline = engine.NoDeadline
	args := redis.Give(lasting)[0].Args
	if k.Deadline == engine.NoDeadline {
		return [][]string{args}
	}
	left := strconv.FormatInt(max(k.Deadline-now, time.Millisecond).Milliseconds(), 10)
	if k.Type == engine.StringKey {
		return [][]string{append(args, "PX", left)}
	}
	return [][]string{args, {"PEXPIRE", k.Name, left}}
}
