package portable

import "strings"

// where is what a refusal holds for.
type where uint8

const (
	inPrograms where = 1 << iota // commands that a program sends
	inScripts                    // commands that a script calls
	unsorted                     // … unless it sorts what it is answered
	unnamed                      // a name or word that is not in the text of the script: it comes from ARGV, or is made by the run
	everywhere = inPrograms | inScripts
)

func (w where) String() string {
	switch {
	case w&everywhere == everywhere:
		return "programs and scripts"
	case w&unnamed != 0:
		return "scripts that do not spell it out"
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
	clock  = "each server has its own clock: "
	chance = "each server picks at random: "
	waits  = "it would block, and a program cannot wait inside a command: use the command that does not block, and sleep or receive a message between attempts"
	server = "it is about the server, and each server answers differently"
	order  = "each server answers in its own order: sort the answer with table.sort"
	absent = "the embedded Redis does not have it"
)

// waiting are commands that Redis keeps from scripts, and Valkey does not.
const waiting = "blpop brpop brpoplpush blmove bzpopmin bzpopmax"

var refusals = []refusal{
	{"xread", "BLOCK", inPrograms, waits},
	{"wait", "", inScripts, "it waits for replicas, and a script cannot wait"},
	{"select", "", everywhere, "a lesson's server has one database"},
	{"multi exec discard watch unwatch", "", everywhere, "it is about the connection: a program uses redis.watch and redis.multi, or a script to do several at once"},
	{
		"subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe", "", everywhere,
		"a program listens with subscribe(channel) and receive(channel)",
	},
	{"auth client hello quit reset", "", everywhere, "it is about the connection, and the clients of a lesson have no connections of their own"},
	{"cluster command config debug info monitor role shutdown", "", everywhere, server},
	{"script", "KILL DEBUG HELP", everywhere, server},
	{"pubsub", "HELP", everywhere, server},

	{clockCommands, "", unnamed, clock + "write the name of the command into the script, or pass stamp() in ARGV"},
	{"set", strings.Join(clockWords, " "), unnamed | inPrograms, clock + "write EXAT or PXAT into the script, or use EX or PX"},
	{"expiretime pexpiretime", "", everywhere, clock + "use PTTL"},
	{"getex", strings.Join(clockWords, " "), everywhere, clock + "use EX or PX"},
	{"xadd", "*", inScripts, clock + "pass stamp() in ARGV and write ARGV[1] .. '-*' for the id"},

	{"spop", "", everywhere, chance + "use a list or a sorted set, whose order is known"},
	{"scan sscan hscan zscan", "", everywhere, "each server iterates in its own order: use KEYS, SMEMBERS, HGETALL or ZRANGE"},
	{"keys smembers", "", inScripts | unsorted, order},
	{"pubsub", "CHANNELS SHARDCHANNELS", inScripts | unsorted, order},

	{"xgroup xreadgroup xack xclaim xautoclaim xpending xinfo", "", everywhere, absent},
	{"bitcount bitop bitpos getbit setbit bitfield bitfield_ro lcs pfadd pfcount pfmerge pfdebug pfselftest", "", everywhere, absent},
	{"sort sort_ro object copy zunion zunionstore zinter zintercard zinterstore zdiff zdiffstore zrangestore", "", everywhere, absent},
	{"srandmember hrandfield zrandmember randomkey xsetid", "", everywhere, absent},
	{"sdiff sinter sunion setrange substr hstrlen", "", everywhere, absent},
	{"xadd xtrim", "MINID", everywhere, absent},
	{"sdiffstore sinterstore sunionstore sintercard zlexcount zrangebylex zrevrangebylex zremrangebylex", "", everywhere, absent},
	{"zrange", "BYLEX", everywhere, absent},
	{"geoadd geodist geohash geopos georadius georadius_ro", "", everywhere, absent},
	{"georadiusbymember georadiusbymember_ro geosearch geosearchstore", "", everywhere, absent},
	{"function fcall fcall_ro", "", everywhere, absent},
	{"save bgsave bgrewriteaof lastsave lolwut module acl latency memory slowlog", "", everywhere, absent},
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
	{"math.", "random", "randomseed", "the numbers go on where the server's last script stopped: call math.randomseed first"},
	{"math.", "acos asin atan atan2 cos cosh sin sinh tan tanh", "", absent},
	{"table.", "foreach foreachi maxn setn", "", absent},
	{"redis.", "acl_check_cmd setresp", "", absent},
	{"", "loadstring collectgarbage gcinfo", "", absent},
	{
		"cjson.", "encode_max_depth decode_max_depth encode_sparse_array encode_number_precision encode_keep_buffer " +
			"encode_invalid_numbers decode_invalid_numbers decode_array_with_array_mt encode_empty_table_as_object",
		"", "it would affect every later script on the server",
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
