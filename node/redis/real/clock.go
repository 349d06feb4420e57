package real

import (
	_ "embed"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/portable"
)

// The server's clock is not the virtual one. A script that looks at it is sent with the instant as one more of ARGV,
// and takes that one for the time; what the page shows, and EVALSHA finds, is the script as it was written.

//go:embed clock.lua
var clockScript string

// atClock is a script as the server runs it, and whether it wants the instant. A script with probes calls redis.pcall
// at a place of its own, so that there the library is replaced.
func atClock(source, written string) (text string, wants bool) {
	if !portable.LooksAtClock(written) {
		return source, false
	}
	name := "lockstep"
	for strings.Contains(source, name) {
		name += "_"
	}
	head, body := "", source
	if strings.HasPrefix(source, "#!") {
		first, rest, _ := strings.Cut(source, "\n")
		head, body = first+"\n", rest
	}
	clock := "local " + name + "=(function() " + strings.Join(strings.Fields(clockScript), " ") + " end)()(table.remove(ARGV)) "
	if source == written {
		return head + clock + strings.TrimPrefix(portable.WithClock(source, name), head), true
	}
	shadow := "local redis=setmetatable({call=" + name + "(redis.call),pcall=" + name + "(redis.pcall)},{__index=redis}) "
	return head + clock + shadow + body, true
}

// atInstant is a command about the time of day as one that is not; a reply means that nothing is sent.
func (n *Node) atInstant(args []string) ([]string, *reply.Reply) {
	switch strings.ToLower(args[0]) {
	case "time":
		if len(args) == 1 {
			us := engine.Epoch*1000 + n.now.Microseconds()
			r := reply.OfArray(reply.OfBulk(strconv.FormatInt(us/1_000_000, 10)), reply.OfBulk(strconv.FormatInt(us%1_000_000, 10)))
			return args, &r
		}
	case "expireat", "pexpireat":
		if len(args) > 2 {
			args = append([]string{"PEXPIRE", args[1], n.left(args[2], strings.EqualFold(args[0], "expireat"))}, args[3:]...)
		}
	}
	return args, nil
}

// left is how long it is until an instant, in milliseconds; what is no number stays what it is.
func (n *Node) left(instant string, seconds bool) string {
	at, err := strconv.ParseInt(instant, 10, 64)
	if err != nil {
		return instant
	}
	if seconds {
		at *= 1000
	}
	return strconv.FormatInt(at-engine.EpochMillis(n.now), 10)
}
