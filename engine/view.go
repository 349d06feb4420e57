package engine

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// NodeView is everything that a node holds at one instant.
type NodeView struct {
	Node          string // filled in by the world
	Keys          []Key  // ordered by name
	Subscriptions []Subscription
	Waits         []Wait    // requests that wait in the node, longest first
	Holds         []Hold    // locks that the node itself gave or has asked for, by key and then in that order
	Sessions      []Session // ordered by process: ZooKeeper's, and those that MariaDB ends when they stay idle
	Deadlock      Deadlock  // the last one

	// What only the world knows of the node.
	Status Status        // Paused, Crashed, or empty
	Clock  time.Duration // how far its clock is ahead of the world's; below 0: behind
	Leader string        // whose replica it is; empty: it takes writes
	Stale  bool          // it and its leader lost each other: it will be sent everything
	Queue  []Queued      // writes on their way to it, oldest first
	Silent []Silence     // replicas that it hears nothing of and still counts
	Inbox  int           // requests that reached it while it was paused
	Saved  bool          // it has a snapshot
}

// Equal tells whether two views of nodes show the same. What only the world knows does not count.
func (v *NodeView) Equal(o *NodeView) bool {
	return slices.EqualFunc(v.Keys, o.Keys, Key.Equal) && slices.Equal(v.Subscriptions, o.Subscriptions) &&
		slices.EqualFunc(v.Waits, o.Waits, Wait.equal) && slices.Equal(v.Holds, o.Holds) &&
		slices.Equal(v.Sessions, o.Sessions) && v.Deadlock.equal(o.Deadlock)
}

// Silence is a replica of which its leader hears nothing, and until when it counts as one nevertheless.
type Silence struct {
	Replica string
	Until   Instant
}

// Queued is a write on its way to a replica.
type Queued struct {
	Full    bool     // all that the leader holds, for a replica that it had lost
	Changes []Change // on the leader
}

// Wait is a request that waits in a node.
type Wait struct {
	Actor string
	Keys  []string // that it waits for
	By    []string // actors that are in its way, where a node knows them
	Until Instant  // by the node's clock, or NoDeadline
}

func (w Wait) equal(o Wait) bool {
	return w.Actor == o.Actor && slices.Equal(w.Keys, o.Keys) && slices.Equal(w.By, o.By) && w.Until == o.Until
}

// Deadlock is a circle of transactions, each of which waited for the next one, and the last
// for the first. It is never changed.
type Deadlock struct {
	N      int    // 1 is the node's first; 0: there was none
	Waits  []Wait // that of each, with the one that was in its way; the last closed the circle
	Victim string // the actor whose transaction was rolled back
}

func (d Deadlock) equal(o Deadlock) bool {
	return d.N == o.N && slices.EqualFunc(d.Waits, o.Waits, Wait.equal) && d.Victim == o.Victim
}

// Hold is a lock of a node's own on one of its keys, or on what lies before it: a database locks rows.
type Hold struct {
	Key   string   `json:"key"`
	Actor string   `json:"actor"` // or a connection that the threads of a process share
	Mode  HoldMode `json:"mode"`
	Waits bool     `json:"waits,omitempty"` // the actor does not have it yet
}

// HoldMode is what a lock keeps others from.
type HoldMode string

// The modes of locks, as InnoDB has them.
const (
	HoldsAlone  HoldMode = "X"      // from locking and changing the key
	HoldsShared HoldMode = "S"      // from changing it
	HoldsGap    HoldMode = "gap"    // from adding a key before it
	HoldsInsert HoldMode = "insert" // from nothing: it waits until it can add a key there
)

// EndOfTable is the last part of the name of what follows the last row of a table: nobody
// has it as a key, but there can be locks on the gap before it.
const EndOfTable = "+∞"

// Session is what a node keeps for a process for as long as it hears of it.
type Session struct {
	Process string
	Until   Instant // when it expires, by the node's clock; NoDeadline: the node hears of the process
	Expired bool
}

// Subscription is one process listening to one channel, or waiting to be told once that
// something happens to a znode; ordered by channel, then process.
type Subscription struct {
	Channel  string // or the path of a znode
	Process  string
	Children bool // to the children of the znode
}

// KeyType is what TYPE answers, or znode.
type KeyType string

// The types of key that a view can show.
const (
	StringKey KeyType = "string"
	HashKey   KeyType = "hash"
	ListKey   KeyType = "list"
	SetKey    KeyType = "set"
	ZSetKey   KeyType = "zset"
	StreamKey KeyType = "stream"
	RowKey    KeyType = "row" // of a table: its name is the table's and that of its primary key, stock/10
	ZnodeKey  KeyType = "znode"
)

// NoDeadline is the Deadline of a key without a TTL.
const NoDeadline Instant = -1

// Key is one key with its value and deadline. A key is a value: two nodes that hold the same data show equal Keys.
type Key struct {
	Name     string
	Type     KeyType
	Text     string  // of a string
	Items    []Item  // of any other type
	Deadline Instant // or NoDeadline
	Pending  Pending // what a transaction has made of it and not committed
}

// Pending is a value that only its writer sees.
type Pending struct {
	By    string // empty: there is none
	Items []Item // none: it has deleted the key
}

func (p Pending) equal(o Pending) bool { return p.By == o.By && slices.Equal(p.Items, o.Items) }

// Item is one part of a compound value: a hash field with its value (ordered by field), a list element (Name empty,
// in list order), a set member (Value empty, ordered), a zset member with its score as text (ordered by score, then
// member), a stream's entry by id with its fields and values as text, a row's column with its value (in the order of
// the table); of a znode its data, czxid, version, and the process that owns it if it is ephemeral.
type Item struct {
	Name  string
	Value string
}

// Equal tells whether two keys hold the same value until the same deadline.
func (k Key) Equal(o Key) bool {
	return k.Name == o.Name && k.Type == o.Type && k.Text == o.Text &&
		k.Deadline == o.Deadline && slices.Equal(k.Items, o.Items) && k.Pending.equal(o.Pending)
}

// shifted are keys whose deadlines are on another clock.
func shifted(keys []Key, by time.Duration) []Key {
	if by == 0 {
		return keys
	}
	keys = slices.Clone(keys)
	for i := range keys {
		if keys[i].Deadline != NoDeadline {
			keys[i].Deadline += by
		}
	}
	return keys
}

// Get is the value of an item by name: a hash field's value, a zset member's score.
func (k Key) Get(name string) (string, bool) {
	for _, it := range k.Items {
		if it.Name == name {
			return it.Value, true
		}
	}
	return "", false
}

// At is an element of a list, from its end when the index is below zero.
func (k Key) At(index int) (string, bool) {
	if index < 0 {
		index += len(k.Items)
	}
	if k.Type != ListKey || index < 0 || index >= len(k.Items) {
		return "", false
	}
	return k.Items[index].Value, true
}

// Key finds a key by name.
func (v NodeView) Key(name string) (Key, bool) {
	i, ok := slices.BinarySearchFunc(v.Keys, name, func(k Key, n string) int { return strings.Compare(k.Name, n) })
	if !ok {
		return Key{}, false
	}
	return v.Keys[i], true
}

// FormatScore writes a zset score the one way that every node shows it.
func FormatScore(f float64) string {
	if f == float64(int64(f)) && f < 1e17 && f > -1e17 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
