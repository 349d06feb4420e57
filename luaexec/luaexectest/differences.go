package luaexectest

import (
	"regexp"
	"slices"
	"strconv"
)

// Difference is a way in which the embedded Redis answers differently from a real
// server, on purpose or as a known limitation. docs/REDIS.md is generated from the
// list. A comparison with a server accepts a mismatch only if a Difference explains it.
type Difference struct {
	Topic  Topic
	Server string // "Redis" or "Valkey"; empty: both
	What   string
	Reason string

	// Regular expressions for the script or command, the server's answer and our own.
	// All that are not empty must match.
	Sent, Theirs, Ours string

	// Common, if set, reduces an answer to the part in which both must agree.
	Common func(answer string) string

	// A difference that no comparison can meet instead names the commands that are
	// missing, separated by blanks (subcommands as in COMMAND LIST: "acl|cat"), or the
	// test that pins it.
	Absent string
	Test   string
}

// Topic is the area that a difference belongs to.
type Topic string

// The topics.
const (
	Scripts  Topic = "scripts"
	Commands Topic = "commands"
	Port     Topic = "the port"
)

// AsRedis70 is the reason for most differences from Valkey.
const AsRedis70 = "the embedded Redis answers as Redis 7.0 does"

// Differences lists every known difference.
var Differences = slices.Concat(scriptDifferences, commandDifferences, portDifferences)

var scriptDifferences = []Difference{
	{
		Topic:  Scripts,
		What:   "tostring shows made-up addresses for tables, functions and coroutines, numbered in the order in which they are first printed",
		Reason: "real addresses would differ from run to run",
		Theirs: `(table|function|thread|userdata): 0x`,
	},
	{
		Topic:  Scripts,
		What:   "The message about an operation that fails inside a coroutine does not name the variable",
		Reason: "gopher-lua has already left the coroutine when it reports the failure",
		Sent:   `coroutine`,
		Theirs: `attempt to \w+( arithmetic on| length of)? (local|global|field|upvalue|method)`,
	},
	{
		Topic:  Scripts,
		What:   "The error for a missing global variable named goto calls it goto_",
		Reason: "goto is a keyword in gopher-lua, so the variable is renamed before the script runs",
		Sent:   `\bgoto\b`,
	},
	{
		Topic:  Scripts,
		What:   "A result that is not a number is always -nan",
		Reason: "the sign of NaN depends on the platform, and traces must not",
		Theirs: `\bnan`,
		Ours:   `-nan`,
	},
	{
		Topic:  Scripts,
		What:   "The last digit of ^ and of the math functions may differ: about once in a few hundred calls, and once in five for sinh, cosh and tanh",
		Reason: "a server takes its result from its C library; the embedded Redis rounds to the nearest double, which is the same on every platform",
		Sent:   `\^|math\.`,
		Common: roundedNumbers,
		Test:   "TestMathAsRedis",
	},
	{
		Topic:  Scripts,
		What:   "A sum of negative zeros loses its sign: -0 + -0 and -0 - 0 are 0",
		Reason: "gopher-lua takes small whole numbers from a table of prepared values, which has one zero",
		Sent:   `z [-+] z`,
		Theirs: `"-0"`,
		Ours:   `"0"`,
	},
	{
		Topic:  Scripts,
		What:   "A function that contains both 0 and -0 uses the one that comes first for both, and Redis may count the right operand as first",
		Reason: "gopher-lua compiles constants in source order",
		Sent:   `-0 - \w+ \* 0`,
		Theirs: `^"inf"`,
		Ours:   `^"-inf"`,
	},
	{
		Topic:  Scripts,
		What:   "An assignment that spans several lines reports its errors on the line of its first variable",
		Reason: "it is rewritten into calls that all stand on that line",
		Sent:   `\n`,
		Theirs: `Attempt to modify a readonly table`,
	},
	{
		Topic:  Scripts,
		What:   "string.dump returns only the bytecode header",
		Reason: "Redis does not load bytecode, so nothing could use the rest",
		Sent:   `string\.dump`,
	},
	{
		Topic:  Scripts,
		What:   "pcall without arguments is an error",
		Reason: "the pcall of Redis calls whatever happens to lie below it on the stack",
		Sent:   `pcall\(\)|pcall\(pcall\)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "Messages say redis where those of Valkey say server, and some are worded differently",
		Reason: AsRedis70,
		Theirs: `(Unknown command called|Wrong number of args calling command|This command is not allowed|ERR Command arguments must be|No matching script\.|server\.\w+\(\)|for this call script|Invalid log level)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "redis.REDIS_VERSION and redis.REDIS_VERSION_NUM are those of 7.0.15",
		Reason: AsRedis70,
		Sent:   `REDIS_VERSION|pairs\(redis\)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "A number that a script passes to a command is written with 17 digits",
		Reason: AsRedis70 + "; servers from 7.2 on write the shortest form",
		Ours:   `\d\.\d{10,}|\de[+-]\d|"-0"`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "Line breaks in an error become spaces",
		Reason: "Valkey 8.0 sends them as they are, which breaks its own protocol",
		Sent:   `\\r\\n`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "There is no os library, getfenv, setfenv or newproxy, and the metatable of strings is read-only",
		Reason: "the embedded Redis keeps the sandbox of Redis 7.0",
		Sent:   `\bos\b|[gs]etfenv|newproxy|getmetatable\(''\)|pairs\(_G\)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "A script may not call BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BZPOPMIN or BZPOPMAX",
		Reason: AsRedis70,
		Sent:   `(?i)\bb(lpop|rpop|lmove|rpoplpush|zpopmin|zpopmax)\b`,
		Ours:   `This Redis command is not allowed from script`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "cmsgpack._COPYRIGHT is that of Redis 7.0",
		Reason: AsRedis70,
		Sent:   `_COPYRIGHT`,
	},
	{
		Topic:  Scripts,
		What:   "In a lesson, an endless script is stopped after a number of instructions, not after a time",
		Reason: "it must stop at the same instruction on every machine",
		Theirs: `Script killed by user`,
		Ours:   `used up its budget`,
		Test:   "TestHostileScriptsEnd",
	},
	{
		Topic:  Scripts,
		What:   "Nesting is limited: to 200 levels in cjson and cmsgpack, whatever maximum a script sets, to 128 in replies and to 500 in source text",
		Reason: "each level uses stack, and browsers have little of it",
		Ours:   `(nesting|structures) \((1\d\d|200)\)|stack overflow \(in function mp_decode|reached lua stack limit|too many syntax levels`,
	},
	{
		Topic:  Scripts,
		What:   "A script is stopped when it holds more than 64 MB of tables, functions and coroutines, or makes a string longer than 16 MB",
		Reason: "anybody may write a script, and none may use up the memory of the process",
		Test:   "TestHeldMemory",
	},
}

var commandDifferences = []Difference{
	{
		Topic:  Commands,
		What:   "OBJECT ENCODING and REFCOUNT report what Redis would choose for the current value, and ZSCAN prints large scores accordingly",
		Reason: "the history of a key is not part of a trace, so keyspaces with the same content must answer the same",
		Sent:   `(?i)\b(object (encoding|refcount)|zscan) `,
	},
	{
		Topic:  Commands,
		What:   "A string may be 16 MB long; in Redis the limit is proto-max-bulk-len, 512 MB by default",
		Reason: "otherwise a few SETRANGEs could use up all memory",
		Test:   "TestTextsHaveALimit",
	},
	{
		Topic:  Commands,
		What:   "COPY stays within its database: DB may only name the current one",
		Reason: "databases exist only for tests that select one; no lock copies between them",
		Sent:   `(?i)\bcopy .* db `,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "A score or another number with a fraction is printed with 17 digits",
		Reason: AsRedis70 + "; Valkey prints the shortest form",
		Common: shortNumbers,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "LREM accepts -9223372036854775808 as a count, and LPOS as a rank",
		Reason: AsRedis70,
		Sent:   `(?i)\b(lrem|lpos) .*-9223372036854775808`,
		Theirs: `value is out of range, value must between`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "The error for a timeout that is too large says that it is negative",
		Reason: AsRedis70,
		Theirs: `ERR timeout is out of range`,
		Ours:   `ERR timeout is negative`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XADD into a millisecond that has no ids left reports that elements are too large",
		Reason: AsRedis70,
		Ours:   `ERR Elements are too large to be stored`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "ZRANK and ZREVRANK do not accept WITHSCORE",
		Reason: AsRedis70,
		Sent:   `(?i)\bz(rev)?rank `,
		Ours:   `(?i)wrong number of arg`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "LSET accepts an index of more than 32 bits",
		Reason: AsRedis70,
		Sent:   `(?i)\blset \S+ -?\d{10}`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XREAD does not accept + for the last entry",
		Reason: AsRedis70,
		Sent:   `(?i)^xread .* \+`,
		Ours:   `ERR Invalid stream ID`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "The error for missing ids spells XREAD in capitals",
		Reason: AsRedis70,
		Theirs: `ERR Unbalanced 'xread' list of streams`,
		Ours:   `ERR Unbalanced XREAD list of streams`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XSETID accepts an id below one that XDEL has deleted",
		Reason: AsRedis70,
		Theirs: `smaller than current max_deleted_entry_id`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "BITCOUNT with a start needs an end, and BITCOUNT and BITPOS look up the key before they have checked all arguments",
		Reason: AsRedis70,
		Sent:   `(?i)\bbit(count|pos) `,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "SCAN with an unknown TYPE finds nothing; Valkey reports an error",
		Reason: AsRedis70,
		Theirs: `ERR unknown type name`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "SCAN, SSCAN, HSCAN and ZSCAN accept a negative cursor and read an empty one as 0, but reject one that begins with a blank",
		Reason: AsRedis70,
		Sent:   `(?i)\b(scan|[hsz]scan \S+) (-| |$)`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "COMMAND GETKEYS requires arguments for every command",
		Reason: AsRedis70,
		Sent:   `(?i)^command getkeys \S+$`,
	},
}

var portDifferences = []Difference{
	{
		Topic:  Port,
		What:   "There are no consumer groups",
		Reason: "no lock needs them",
		Absent: "xgroup xreadgroup xack xclaim xautoclaim xpending xinfo",
	},
	{
		Topic:  Port,
		What:   "There are no bit fields, longest common subsequences, HyperLogLogs or geospatial indexes",
		Reason: "no lock needs them",
		Absent: "bitfield bitfield_ro lcs pfadd pfcount pfmerge pfdebug pfselftest geoadd geodist geohash geopos georadius georadius_ro georadiusbymember georadiusbymember_ro geosearch geosearchstore",
	},
	{
		Topic:  Port,
		What:   "There are no function libraries, and none can be loaded",
		Reason: "lessons, and the lock libraries that they show, send scripts",
		Absent: "function|dump function|load function|restore",
	},
	{
		Topic:  Port,
		What:   "Nothing is saved to disk",
		Reason: "keys live only as long as the process",
		Absent: "save bgsave bgrewriteaof lastsave",
	},
	{
		Topic:  Port,
		What:   "Keys cannot be moved to another database or server",
		Reason: "there is no other server, and databases exist only for tests that select one",
		Absent: "dump restore restore-asking migrate move swapdb",
	},
	{
		Topic:  Port,
		What:   "There are no replicas",
		Reason: "a process is one server; a lesson with several servers has several independent nodes",
		Absent: "replicaof slaveof failover sync psync replconf readonly readwrite asking",
	},
	{
		Topic:  Port,
		What:   "There is one user, and there are no modules",
		Reason: "requirepass is all that lock clients need",
		Absent: "acl|cat acl|deluser acl|dryrun acl|genpass acl|getuser acl|list acl|load acl|log acl|save acl|setuser acl|users module",
	},
	{
		Topic:  Port,
		What:   "There are no commands that monitor or profile the server",
		Reason: "the page shows what happens",
		Absent: "monitor lolwut command|getkeysandflags latency|doctor latency|graph latency|histogram memory|doctor memory|malloc-stats memory|purge memory|stats",
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "HELLO reports Redis 7.0.15",
		Reason: AsRedis70,
		Theirs: `valkey`,
		Ours:   `7\.0\.15`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "The error for HELLO before AUTH does not contain <proto>",
		Reason: AsRedis70,
		Theirs: `NOAUTH HELLO must be called .* HELLO <proto> AUTH`,
		Ours:   `NOAUTH HELLO must be called .* HELLO AUTH`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "MULTI and WATCH inside a transaction have error messages of their own and do not abort the transaction",
		Reason: AsRedis70,
		Theirs: `Command not allowed inside a transaction|EXECABORT`,
		Ours:   `MULTI calls can not be nested|WATCH inside MULTI is not allowed|^"\*`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "The error while a script runs begins with BUSY Redis, not BUSY Valkey",
		Reason: AsRedis70,
		Theirs: `BUSY Valkey`,
		Ours:   `BUSY Redis`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "UNSUBSCRIBE, PUNSUBSCRIBE and SUNSUBSCRIBE reply even without a subscription",
		Reason: AsRedis70,
		Theirs: `NOSUB`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "A client that publishes to a channel it is subscribed to receives the message before the reply",
		Reason: AsRedis70,
		Sent:   `PUBLISH|EXEC|UNSUBSCRIBE|<`,
		Theirs: `message|:1`,
		Ours:   `message|:1`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "A client blocked on several keys, all filled by one transaction, is served from the key that was filled first",
		Reason: AsRedis70,
		Sent:   `<`,
		Theirs: `k1`,
		Ours:   `k2`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "SCRIPT HELP prints the text of Redis",
		Reason: AsRedis70,
		Sent:   `SCRIPT HELP`,
	},
}

// shortNumbers prints every number of an answer in its shortest form.
func shortNumbers(answer string) string { return printNumbers(answer, number, -1) }

// roundedNumbers prints the fractions of an answer without their last digits.
func roundedNumbers(answer string) string { return printNumbers(answer, fraction, 12) }

func printNumbers(answer string, which *regexp.Regexp, precision int) string {
	return which.ReplaceAllStringFunc(answer, func(text string) string {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(f, 'g', precision, 64)
	})
}

var (
	number   = regexp.MustCompile(`-?\d+(\.\d+)?(e[+-]?\d+)?`)
	fraction = regexp.MustCompile(`-?\d+(\.\d+(e[+-]?\d+)?|e[+-]?\d+)`)
)
