package keyspace

import (
	"strconv"
	"strings"
)

// news publishes keyspace notifications.
type news struct {
	channels []string // prefixes, to which the name of the key or of the event is added
	byKey    []bool   // for each channel: the name is the key's
	classes  string   // the letters of the classes to publish
	event    string   // the event of the next write, if it is not named after its command
}

// Announce turns on keyspace notifications, as notify-keyspace-events does: classes are
// letters of that setting, without A; db is the keyspace's number. A fork publishes
// nothing.
func (k *Keyspace) Announce(db int, classes string) {
	k.news = nil
	for _, way := range []struct{ letter, channel string }{{"K", "__keyspace@"}, {"E", "__keyevent@"}} {
		if strings.Contains(classes, way.letter) {
			if k.news == nil {
				k.news = &news{classes: classes}
			}
			k.news.channels = append(k.news.channels, way.channel+strconv.Itoa(db)+"__:")
			k.news.byKey = append(k.news.byKey, way.letter == "K")
		}
	}
}

// events are the events that are not named after the command that causes them.
var events = map[string]string{
	"bitop": "set", "blpop": "lpop", "brpop": "rpop", "decr": "incrby", "decrby": "incrby", "getset": "set",
	"hmset": "hset", "hsetnx": "hset", "incr": "incrby", "lpushx": "lpush", "mset": "set", "msetnx": "set", "psetex": "set",
	"rpushx": "rpush", "setex": "set", "setnx": "set", "sort": "sortstore", "zincrby": "zincr",
}

// expect records which command is about to write.
func (n *news) expect(c *Command) {
	n.event = events[c.name]
	if n.event == "" {
		n.event = c.name
	}
}

// as names the event of the next writes, instead of the command.
func (k *Keyspace) as(event string) *Keyspace {
	if k.news != nil {
		k.news.event = event
	}
	return k
}

// classOf are the letters of values by type.
const classOf = "$hlszt"

// announceWrite publishes that a command has written the entry e.
func (k *Keyspace) announceWrite(name string, e *entry) {
	if k.news != nil {
		k.announce(classOf[e.kind:e.kind+1], k.news.event, name)
	}
}

// announce publishes an event.
func (k *Keyspace) announce(class, event, key string) {
	if k.news == nil || !strings.Contains(k.news.classes, class) {
		return
	}
	for i, channel := range k.news.channels {
		if k.news.byKey[i] {
			k.publish(channel+key, event)
		} else {
			k.publish(channel+event, key)
		}
	}
}
