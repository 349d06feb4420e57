package keyspace

import (
	"strconv"
	"strings"
)

// notifications are the events about its keys that a server publishes.
type notifications struct {
	channels []string // before the name of a key, or of an event
	byKey    []bool   // which of the two
	classes  string   // the letters of what is to be published
	event    string   // what a write is called, whoever makes it
}

// SetNotifications has the keyspace publish its events, as notify-keyspace-events does:
// classes are the letters of that setting, without A; db is the number of the keyspace. A
// fork publishes nothing.
func (k *Keyspace) SetNotifications(db int, classes string) {
	k.notifications = nil
	for _, way := range []struct{ letter, channel string }{{"K", "__keyspace@"}, {"E", "__keyevent@"}} {
		if strings.Contains(classes, way.letter) {
			if k.notifications == nil {
				k.notifications = &notifications{classes: classes}
			}
			k.notifications.channels = append(k.notifications.channels, way.channel+strconv.Itoa(db)+"__:")
			k.notifications.byKey = append(k.notifications.byKey, way.letter == "K")
		}
	}
}

// events are the writes that are not called like the command that makes them.
var events = map[string]string{
	"blpop": "lpop", "brpop": "rpop", "decr": "incrby", "decrby": "incrby", "getset": "set",
	"hmset": "hset", "hsetnx": "hset", "incr": "incrby", "lpushx": "lpush", "mset": "set", "msetnx": "set", "psetex": "set",
	"rpushx": "rpush", "setex": "set", "setnx": "set", "zincrby": "zincr",
}

// asEvent names the next writes.
func (k *Keyspace) asEvent(event string) *Keyspace {
	if k.notifications != nil {
		k.notifications.event = event
	}
	return k
}

// classOf are the letters of values by type.
const classOf = "$hlszt"

// notifyWrite publishes that a command has written the entry e.
func (k *Keyspace) notifyWrite(name string, e *entry) {
	if k.notifications != nil {
		k.notify(classOf[e.kind:e.kind+1], k.notifications.event, name)
	}
}

func (k *Keyspace) notify(class, event, key string) {
	if k.notifications == nil || !strings.Contains(k.notifications.classes, class) {
		return
	}
	for i, channel := range k.notifications.channels {
		if k.notifications.byKey[i] {
			k.publish(channel+key, event)
		} else {
			k.publish(channel+event, key)
		}
	}
}
