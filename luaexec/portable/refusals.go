// Package portable refuses what each Redis answers in its own way, so that a lesson
// tells the same story on all of them.
package portable

import "strings"

// where is what a refusal holds for.
type where uint8

const (
	inPrograms where = 1 << iota // commands that a program sends
	inScripts                    // commands that a script calls
	unsorted                     // … unless it sorts what it is answered
	everywhere = inPrograms | inScripts
)

func (w where) String() string {
	switch {
	case w&everywhere == everywhere:
		return "programs and scripts"
	case w&inPrograms != 0:
		return "programs"
	}
	return "scripts"
}

// refusal is a row of the table: commands that a lesson may not use.
type refusal struct {
	names string // of commands, in lower case
	words string // in capitals: only with one of these among the arguments; empty: always
	where where
	why   string // and what to write instead
}

const (
	clock  = "each server has a clock of its own: "
	chance = "each server picks by chance: "
	waits  = "it would wait, and a program cannot wait inside a command: ask for what is there now, and sleep or receive a message in between"
	server = "it is about the server, and each server says something else"
	order  = "each server answers in an order of its own: sort the answer with table.sort"
	absent = "no lesson has it, because the embedded Redis does not"
)

// waiting are commands that Redis keeps from scripts, and Valkey does not.
const waiting = "blpop brpop brpoplpush blmove bzpopmin bzpopmax"

var refusals = []refusal{
	{"xread", "BLOCK", inPrograms, waits},
	{"wait", "", inScripts, "it waits for replicas, and a script cannot wait"},
	{"select", "", everywhere, "a lesson's server has one database"},
	{"multi exec discard watch unwatch", "", everywhere, "a step of a lesson is one command: let a script do several at once"},
	{
		"subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe", "", everywhere,
		"a program listens with subscribe(channel) and receive(channel)",
	},
	{"auth client hello quit reset", "", everywhere, "it is about the connection, and a lesson's clients have none to themselves"},
	{"acl cluster command config debug info latency memory monitor role shutdown slowlog", "", everywhere, server},
	{"script", "KILL DEBUG HELP", everywhere, server},
	{"object pubsub", "HELP", everywhere, server},

	{"time", "", everywhere, clock + "use now() in a program, and pass stamp() to a script in ARGV"},
	{"expireat pexpireat expiretime pexpiretime", "", everywhere, clock + "use PEXPIRE and PTTL"},
	{"set getex", "EXAT PXAT", everywhere, clock + "use EX or PX"},
	{"object", "IDLETIME FREQ", everywhere, clock + "it cannot be told in a lesson"},
	{"xadd", "*", inScripts, clock + "pass stamp() in ARGV and write ARGV[1] .. '-*' for the id"},

	{"spop srandmember hrandfield zrandmember randomkey", "", everywhere, chance + "take from a list or a sorted set, whose order is known"},
	{"scan sscan hscan zscan", "", everywhere, "each server goes through its keys in a way of its own: use KEYS, SMEMBERS, HGETALL or ZRANGE"},
	{"sort sort_ro", "BY", everywhere, "each server has an order of its own for items that weigh the same: use a sorted set"},
	{"keys smembers sinter sunion sdiff", "", inScripts | unsorted, order},
	{"pubsub", "CHANNELS SHARDCHANNELS", inScripts | unsorted, order},

	{"xgroup xreadgroup xack xclaim xautoclaim xpending xinfo", "", everywhere, absent},
	{"bitfield bitfield_ro lcs pfadd pfcount pfmerge pfdebug pfselftest", "", everywhere, absent},
	{"geoadd geodist geohash geopos georadius georadius_ro", "", everywhere, absent},
	{"georadiusbymember georadiusbymember_ro geosearch geosearchstore", "", everywhere, absent},
	{"function fcall fcall_ro", "", everywhere, absent},
	{"save bgsave bgrewriteaof lastsave lolwut module", "", everywhere, absent},
	{"dump restore restore-asking migrate move swapdb", "", everywhere, absent},
	{"replicaof slaveof failover sync psync replconf readonly readwrite asking", "", everywhere, absent},
}

// forbidden are names that a script may not use, whatever for: of fields of libraries
// and of global variables.
var forbidden = []struct {
	library string
	names   string
	unless  string // this is used, too
	why     string
}{
	{"math.", "random", "randomseed", "each server goes on where the last script ended: call math.randomseed first"},
	{
		"cjson.", "encode_max_depth decode_max_depth encode_sparse_array encode_number_precision encode_keep_buffer " +
			"encode_invalid_numbers decode_invalid_numbers decode_array_with_array_mt encode_empty_table_as_object",
		"", "it would hold for all scripts that the server runs after this one",
	},
	{"", "os getfenv setfenv newproxy", "", "only some servers have it"},
}

// Row is a refusal as people read it.
type Row struct{ What, Where, Why string }

// Rows are all refusals, in the order of the table.
func Rows() []Row {
	var rows []Row
	for _, r := range refusals {
		what := strings.Join(strings.Fields(strings.ToUpper(r.names)), ", ")
		if r.words != "" {
			what += " with " + strings.Join(strings.Fields(r.words), " or ")
		}
		rows = append(rows, Row{what, r.where.String(), r.why})
	}
	for _, f := range forbidden {
		names := strings.Fields(f.names)
		rows = append(rows, Row{f.library + strings.Join(names, ", "+f.library), "scripts", f.why})
	}
	return rows
}
