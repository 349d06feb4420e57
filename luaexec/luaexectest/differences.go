package luaexectest

import (
	"regexp"
	"slices"
	"strconv"
)

// Difference is something in which the embedded Redis answers otherwise than a
// server, on purpose or because nobody has found how to do better. docs/REDIS.md
// is made from them. A comparison with a server excuses what one of them matches,
// and nothing else.
type Difference struct {
	Topic  Topic
	Server string // "Redis", "Valkey", or nothing for both
	What   string
	Reason string

	// Regular expressions of the script or the command, of the server's answer and
	// of our own. Those that are there must all match.
	Sent, Theirs, Ours string

	// Common brings both answers to what must be the same in them, if it is there.
	Common func(answer string) string

	// What no comparison meets has the names of commands that are not there, one of
	// them and its subcommand as in COMMAND LIST, or the name of the test that pins it.
	Absent string
	Test   string
}

// Topic is what a difference is about.
type Topic string

// The topics.
const (
	Scripts  Topic = "scripts"
	Commands Topic = "commands"
	Port     Topic = "the port"
)

// AsRedis70 is the reason of most differences from Valkey.
const AsRedis70 = "the embedded Redis answers as Redis 7.0 does"

// Differences are all of them.
var Differences = slices.Concat(scriptDifferences, commandDifferences, portDifferences)

var scriptDifferences = []Difference{
	{
		Topic:  Scripts,
		What:   "The addresses of tables, functions and coroutines, as tostring shows them",
		Reason: "they tell the order in which values were printed, because real ones would differ from run to run",
		Theirs: `(table|function|thread|userdata): 0x`,
	},
	{
		Topic:  Scripts,
		What:   "A message about an operation inside a coroutine does not name the variable",
		Reason: "gopher-lua has left the coroutine when it tells what failed there",
		Sent:   `coroutine`,
		Theirs: `attempt to \w+( arithmetic on| length of)? (local|global|field|upvalue|method)`,
	},
	{
		Topic:  Scripts,
		What:   "goto as the name of a global variable is goto_ in the message that there is none",
		Reason: "goto is a keyword of gopher-lua, so that a script that uses it as a name has it changed",
		Sent:   `\bgoto\b`,
	},
	{
		Topic:  Scripts,
		What:   "A result that is not a number is always -nan",
		Reason: "its sign differs between platforms, and traces must not",
		Theirs: `\bnan`,
		Ours:   `-nan`,
	},
	{
		Topic:  Scripts,
		What:   "The last digit of ^ and of functions of math may be another: in one of a few hundred cases, and in one of five for sinh, cosh and tanh",
		Reason: "theirs is what the C library of the server makes of it, ours the nearest number there is, the same on every platform",
		Sent:   `\^|math\.`,
		Common: roundedNumbers,
		Test:   "TestMathAsRedis",
	},
	{
		Topic:  Scripts,
		What:   "A sum of zeros has no sign: -0 + -0 and -0 - 0 are 0",
		Reason: "gopher-lua keeps small whole numbers as ready-made values",
		Sent:   `z [-+] z`,
		Theirs: `"-0"`,
		Ours:   `"0"`,
	},
	{
		Topic:  Scripts,
		What:   "Where a function has both 0 and -0, both are the one that stands first, and in Redis what is on the right of an operation may count before a number on its left",
		Reason: "gopher-lua meets the numbers in the order of the source",
		Sent:   `-0 - \w+ \* 0`,
		Theirs: `^"inf"`,
		Ours:   `^"-inf"`,
	},
	{
		Topic:  Scripts,
		What:   "An assignment of several lines that fails is on the line of its first variable",
		Reason: "it has become calls that are all on that line",
		Sent:   `\n`,
		Theirs: `Attempt to modify a readonly table`,
	},
	{
		Topic:  Scripts,
		What:   "string.dump gives no more than the header of bytecode",
		Reason: "nothing in Redis loads it",
		Sent:   `string\.dump`,
	},
	{
		Topic:  Scripts,
		What:   "pcall without a function is an error",
		Reason: "Redis's pcall calls what happens to lie below it on the stack",
		Sent:   `pcall\(\)|pcall\(pcall\)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "Messages say server and not redis, and some are worded anew",
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
		What:   "A number that a script sends to a command is written with 17 digits",
		Reason: AsRedis70 + "; from 7.2 on servers write the shortest form",
		Ours:   `\d\.\d{10,}|\de[+-]\d|"-0"`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "Line breaks in an error become blanks",
		Reason: "Valkey 8.0 sends them as they are and breaks its own protocol",
		Sent:   `\\r\\n`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "There is no os library, no getfenv, no setfenv and no newproxy, and the metatable of strings is read-only",
		Reason: "the embedded Redis keeps the sandbox of Redis 7.0",
		Sent:   `\bos\b|[gs]etfenv|newproxy|getmetatable\(''\)|pairs\(_G\)`,
	},
	{
		Topic:  Scripts,
		Server: "Valkey",
		What:   "A script may not call BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BZPOPMIN and BZPOPMAX",
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
		What:   "A script of a lesson that runs on is ended after so many instructions and not after so much time",
		Reason: "it must end at the same instruction on every machine",
		Theirs: `Script killed by user`,
		Ours:   `used up its budget`,
		Test:   "TestHostileScriptsEnd",
	},
	{
		Topic:  Scripts,
		What:   "cjson and cmsgpack go 200 levels deep, whatever the maximum that a script sets, replies 128, and a source 500",
		Reason: "each level takes a piece of the stack, of which browsers have little",
		Ours:   `(nesting|structures) \((1\d\d|200)\)|stack overflow \(in function mp_decode|reached lua stack limit|too many syntax levels`,
	},
	{
		Topic:  Scripts,
		What:   "A script ends that holds more than 64 MB of tables, functions and coroutines, and one that makes a string of more than 16 MB",
		Reason: "what anybody writes must not take the memory of the process",
		Test:   "TestHeldMemory",
	},
}

var commandDifferences = []Difference{
	{
		Topic:  Commands,
		What:   "OBJECT ENCODING and REFCOUNT tell what Redis would choose for the value as it is now, and ZSCAN prints large scores accordingly",
		Reason: "what a key held before is not part of a trace: keyspaces that hold the same must answer the same",
		Sent:   `(?i)\b(object (encoding|refcount)|zscan) `,
	},
	{
		Topic:  Commands,
		What:   "A string has at most 16 MB, which is Redis's proto-max-bulk-len of 512 MB",
		Reason: "a few SETRANGEs could take all memory",
		Test:   "TestTextsHaveALimit",
	},
	{
		Topic:  Commands,
		What:   "COPY stays within its database: DB may only name that one",
		Reason: "databases are here for tests that select one; no lock copies from one to another",
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
		What:   "LREM takes the least count there is, and LPOS the least rank",
		Reason: AsRedis70,
		Sent:   `(?i)\b(lrem|lpos) .*-9223372036854775808`,
		Theirs: `value is out of range, value must between`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "A timeout that is too large is said to be negative",
		Reason: AsRedis70,
		Theirs: `ERR timeout is out of range`,
		Ours:   `ERR timeout is negative`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XADD says of a millisecond in which there is no further id that elements are too large",
		Reason: AsRedis70,
		Ours:   `ERR Elements are too large to be stored`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "ZRANK and ZREVRANK know no WITHSCORE",
		Reason: AsRedis70,
		Sent:   `(?i)\bz(rev)?rank `,
		Ours:   `(?i)wrong number of arg`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "The index of LSET may have more than 32 bits",
		Reason: AsRedis70,
		Sent:   `(?i)\blset \S+ -?\d{10}`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XREAD does not know + as the last entry",
		Reason: AsRedis70,
		Sent:   `(?i)^xread .* \+`,
		Ours:   `ERR Invalid stream ID`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XREAD is in capitals when it says that ids are missing",
		Reason: AsRedis70,
		Theirs: `ERR Unbalanced 'xread' list of streams`,
		Ours:   `ERR Unbalanced XREAD list of streams`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "XSETID takes an id below one that XDEL has deleted",
		Reason: AsRedis70,
		Theirs: `smaller than current max_deleted_entry_id`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "BITCOUNT with a start must have an end, and both it and BITPOS look at the key before they look at all arguments",
		Reason: AsRedis70,
		Sent:   `(?i)\bbit(count|pos) `,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "SCAN finds nothing of a type that there is not",
		Reason: AsRedis70,
		Theirs: `ERR unknown type name`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "SCAN and the like take a negative cursor, and an empty one for 0, and none that begins with a blank",
		Reason: AsRedis70,
		Sent:   `(?i)\b(scan|[hsz]scan \S+) (-| |$)`,
	},
	{
		Topic:  Commands,
		Server: "Valkey",
		What:   "COMMAND GETKEYS wants arguments of whatever command",
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
		What:   "There are no bit fields, no longest common subsequences, no counts of what is unique, no places on the earth",
		Reason: "no lock needs them",
		Absent: "bitfield bitfield_ro lcs pfadd pfcount pfmerge pfdebug pfselftest geoadd geodist geohash geopos georadius georadius_ro georadiusbymember georadiusbymember_ro geosearch geosearchstore",
	},
	{
		Topic:  Port,
		What:   "There are no libraries of functions, and none can be loaded",
		Reason: "lessons and the libraries that they show send scripts",
		Absent: "function|dump function|load function|restore",
	},
	{
		Topic:  Port,
		What:   "Nothing is kept on disk",
		Reason: "the keys live as long as the process",
		Absent: "save bgsave bgrewriteaof lastsave",
	},
	{
		Topic:  Port,
		What:   "A key does not leave its database or its server",
		Reason: "there is no other server, and databases are for tests that select one",
		Absent: "dump restore restore-asking migrate move swapdb",
	},
	{
		Topic:  Port,
		What:   "There are no replicas",
		Reason: "one process is one server; lessons about replication have nodes of their own",
		Absent: "replicaof slaveof failover sync psync replconf readonly readwrite asking",
	},
	{
		Topic:  Port,
		What:   "There is one user, and there are no modules",
		Reason: "requirepass is all that clients of locks ask for",
		Absent: "acl|cat acl|deluser acl|dryrun acl|genpass acl|getuser acl|list acl|load acl|log acl|save acl|setuser acl|users module",
	},
	{
		Topic:  Port,
		What:   "There is nothing that watches the server or measures it",
		Reason: "the page shows what happens",
		Absent: "monitor lolwut command|getkeysandflags latency|doctor latency|graph latency|histogram memory|doctor memory|malloc-stats memory|purge memory|stats",
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "HELLO names Redis 7.0.15",
		Reason: AsRedis70,
		Theirs: `valkey`,
		Ours:   `7\.0\.15`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "HELLO before AUTH is refused without the word <proto>",
		Reason: AsRedis70,
		Theirs: `NOAUTH HELLO must be called .* HELLO <proto> AUTH`,
		Ours:   `NOAUTH HELLO must be called .* HELLO AUTH`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "MULTI and WATCH inside a transaction are refused in words of their own, and the transaction goes on",
		Reason: AsRedis70,
		Theirs: `Command not allowed inside a transaction|EXECABORT`,
		Ours:   `MULTI calls can not be nested|WATCH inside MULTI is not allowed|^"\*`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "It is Redis that is busy running a script",
		Reason: AsRedis70,
		Theirs: `BUSY Valkey`,
		Ours:   `BUSY Redis`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "UNSUBSCRIBE and the like answer without a subscription, too",
		Reason: AsRedis70,
		Theirs: `NOSUB`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "A client that publishes to itself reads the message before the reply",
		Reason: AsRedis70,
		Sent:   `PUBLISH|EXEC|UNSUBSCRIBE|<`,
		Theirs: `message|:1`,
		Ours:   `message|:1`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "A client that waits for several keys, all of which a transaction has filled, is given from the one that was filled first",
		Reason: AsRedis70,
		Sent:   `<`,
		Theirs: `k1`,
		Ours:   `k2`,
	},
	{
		Topic:  Port,
		Server: "Valkey",
		What:   "SCRIPT HELP is that of Redis",
		Reason: AsRedis70,
		Sent:   `SCRIPT HELP`,
	},
}

// shortNumbers has every number of an answer printed in its shortest form.
func shortNumbers(answer string) string { return printNumbers(answer, number, -1) }

// roundedNumbers has the fractions of an answer printed without their last digits.
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
