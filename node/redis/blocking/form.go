package blocking

import "strconv"

// Form is how a blocking command is written.
type Form struct {
	KeyType string // of the keys that it takes from
	shape   shape
}

type shape uint8

const (
	_       shape = iota
	each          // keys, then the timeout: BLPOP key … timeout
	moving        // from, to, more, then the timeout
	counted       // the timeout, the number of keys, the keys: BLMPOP timeout 1 key …
	streams       // XREAD … STREAMS, with its timeout after BLOCK
)

// Forms are all blocking commands, by name.
var Forms = map[string]Form{
	"blmove":     {"list", moving},
	"blmpop":     {"list", counted},
	"blpop":      {"list", each},
	"brpop":      {"list", each},
	"brpoplpush": {"list", moving},
	"bzmpop":     {"zset", counted},
	"bzpopmax":   {"zset", each},
	"bzpopmin":   {"zset", each},
	"xread":      {"stream", streams},
}

// OnKey is a command that was found to be in order, on one of the keys that it takes from.
func (f Form) OnKey(args []string, key string) []string {
	switch f.shape {
	case each:
		return []string{args[0], key, args[len(args)-1]}
	case counted:
		n, _ := strconv.Atoi(args[2])
		return append([]string{args[0], args[1], "1", key}, args[3+n:]...)
	case moving, streams:
	}
	return args
}
