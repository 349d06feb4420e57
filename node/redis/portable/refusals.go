package portable

import (
	"strings"

	"lockstep/engine/fact"
)

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
	why   string // the code of a fact: why, and what to write instead
}

const (
	waits  = "refused-waits"
	server = "refused-server"
	order  = "refused-order"
	absent = "refused-absent"
)

// waiting are commands that Redis keeps from scripts, and Valkey does not.
const waiting = "blpop brpop brpoplpush blmove bzpopmin bzpopmax"

var refusals = []refusal{
	{"xread", "BLOCK", inPrograms, waits},
	{"wait", "", inScripts, "refused-wait"},
	{"select", "", everywhere, "refused-select"},
	{"multi exec discard watch unwatch", "", everywhere, "refused-multi"},
	{
		"subscribe psubscribe ssubscribe unsubscribe punsubscribe sunsubscribe", "", everywhere,
		"refused-subscribe",
	},
	{"auth client hello quit reset", "", everywhere, "refused-connection"},
	{"cluster command config debug info monitor role shutdown", "", everywhere, server},
	{"script", "KILL DEBUG HELP", everywhere, server},
	{"pubsub", "HELP", everywhere, server},

	{clockCommands, "", unnamed, "refused-clock-unnamed"},
	{"set", strings.Join(clockWords, " "), unnamed | inPrograms, "refused-clock-set"},
	{"expiretime pexpiretime", "", everywhere, "refused-clock-expiretime"},
	{"getex", strings.Join(clockWords, " "), everywhere, "refused-clock-getex"},
	{"xadd", "*", inScripts, "refused-clock-xadd"},

	{"spop", "", everywhere, "refused-spop"},
	{"scan sscan hscan zscan", "", everywhere, "refused-scan"},
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
	{"math.", "random", "randomseed", "refused-random"},
	{"math.", "acos asin atan atan2 cos cosh sin sinh tan tanh", "", absent},
	{"table.", "foreach foreachi maxn setn", "", absent},
	{"redis.", "acl_check_cmd setresp", "", absent},
	{"", "loadstring collectgarbage gcinfo", "", absent},
	{
		"cjson.", "encode_max_depth decode_max_depth encode_sparse_array encode_number_precision encode_keep_buffer " +
			"encode_invalid_numbers decode_invalid_numbers decode_array_with_array_mt encode_empty_table_as_object",
		"", "refused-lasting",
	},
	{"", "os getfenv setfenv newproxy", "", "refused-rare"},
}

// Row is a refusal as people read it.
type Row struct {
	What, Where string
	Why         fact.Fact
}

// Rows are all refusals, in the order of the table.
func Rows() []Row {
	var rows []Row
	for _, r := range refusals {
		what := strings.Join(strings.Fields(strings.ToUpper(r.names)), ", ")
		if r.words != "" {
			what += " with " + strings.Join(strings.Fields(r.words), " or ")
		}
		rows = append(rows, Row{what, r.where.String(), fact.Of(r.why)})
	}
	for _, f := range forbidden {
		names := strings.Fields(f.names)
		rows = append(rows, Row{f.library + strings.Join(names, ", "+f.library), "scripts", fact.Of(f.why)})
	}
	return rows
}
