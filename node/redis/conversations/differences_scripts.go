package conversations

// scriptDifferences are those in scripts from Redis and from Valkey.
var scriptDifferences = []Difference{
	{
		What:   "tostring shows made-up addresses for tables, functions and coroutines, numbered in the order in which they are first printed",
		Reason: "real addresses would differ from run to run",
		Theirs: `(table|function|thread|userdata): 0x`,
	},
	{
		What:   "The message about an operation that fails inside a coroutine does not name the variable",
		Reason: "gopher-lua has already left the coroutine when it reports the failure",
		Sent:   `coroutine`, Theirs: `attempt to \w+( arithmetic on| length of)? (local|global|field|upvalue|method)`,
	},
	{
		What:   "goto is a keyword, and a hexadecimal number has no fraction and no exponent",
		Reason: "so it is in gopher-lua, which runs the scripts",
		Sent:   `\bgoto\b|0[xX][0-9a-fA-F]*[.pP]`,
	},
	{
		What: "A result that is not a number is always -nan", Reason: "the sign of NaN depends on the platform, and traces must not",
		Theirs: `\bnan`, Ours: `-nan`,
	},
	{
		What:   "The last digit of ^ and of the math functions may differ, about once in a few hundred calls",
		Reason: "a server takes its result from its C library; the embedded Redis rounds to the nearest double, which is the same on every platform",
		Sent:   `\^|math\.`, Common: roundedNumbers, Test: "TestMathAsRedis",
	},
	{
		What:   "There are no functions of angles in math",
		Reason: "no script of a lock needs them, and each function of math has to give the same on every platform",
		Sent:   `math\.(a?(sin|cos|tan)|(sin|cos|tan)h|atan2|deg|rad)\b|pairs\(math\)`,
	},
	{
		What:   "There is no bit, load, loadstring, collectgarbage and gcinfo, no foreach, foreachi, maxn and setn in table, no string.dump, no struct.size, no byte order and alignment in formats of struct, no unpack_one and unpack_limit in cmsgpack, no redis.acl_check_cmd and no __redis__err__handler",
		Reason: "no script of a lock calls them",
		Sent:   `\b(bit|load(string)?|collectgarbage|gcinfo|foreachi?|maxn|setn|acl_check_cmd|string\.dump|struct\.size|unpack_(one|limit))\b|__redis__err__handler|pairs\((_G|table|string|redis|cmsgpack)\)`,
	},
	{
		What:   "There is no redis.setresp, and a script answers in the types of RESP2 alone: a table with a field double, map, set, big_number or verbatim_string is an array as any other",
		Reason: "no script of a lock asks for more",
		Sent:   `redis\.setresp|\{(double|map|set|big_number|verbatim_string) ?=`,
	},
	{
		What:   "There is no cjson.new, and cjson cannot be told to encode or decode otherwise",
		Reason: "no script of a lock does so, and every later script on the server would be changed",
		Sent:   `cjson\.(new|encode_|decode_)|pairs\(cjson\)`,
	},
	{
		What:   "A sum of negative zeros loses its sign: -0 + -0 and -0 - 0 are 0",
		Reason: "gopher-lua takes small whole numbers from a table of prepared values, which has one zero",
		Sent:   `z [-+] z`, Theirs: `"-0"`, Ours: `"0"`,
	},
	{
		What:   "A function that contains both 0 and -0 uses the one that comes first for both, and Redis may count the right operand as first",
		Reason: "gopher-lua compiles constants in source order",
		Sent:   `-0 - \w+ \* 0`, Theirs: `^"inf"`, Ours: `^"-inf"`,
	},
	{
		What:   "An assignment that spans several lines reports its errors on the line of its first variable",
		Reason: "it is rewritten into calls that all stand on that line",
		Sent:   `\n`, Theirs: `Attempt to modify a readonly table`,
	},
	{
		What: "pcall without arguments is an error", Reason: "the pcall of Redis calls whatever happens to lie below it on the stack",
		Sent: `pcall\(\)|pcall\(pcall\)`,
	},
	{
		What:   "In a lesson, an endless script is stopped after a number of instructions, not after a time",
		Reason: "it must stop at the same instruction on every machine",
		Theirs: `Script killed by user`, Ours: `used up its budget`, Test: "TestHostileScriptsEnd",
	},
	{
		What:   "Nesting is limited: to 200 levels in cjson and cmsgpack, to 128 in replies and to 500 in source text",
		Reason: "each level uses stack, and browsers have little of it",
		Ours:   `(nesting|structures) \((1\d\d|200)\)|stack overflow \(in function mp_decode|reached lua stack limit|too many syntax levels`,
	},
	{
		What:   "A script is stopped when it holds more than 64 MB of tables, functions and coroutines, or makes a string longer than 16 MB",
		Reason: "anybody may write a script, and none may use up the memory of the process",
		Test:   "TestHeldMemory",
	},
}

// scriptDifferencesFromValkey are those in scripts from Valkey alone.
var scriptDifferencesFromValkey = []Difference{
	{
		What:   "Messages say redis where those of Valkey say server, and some are worded differently",
		Theirs: `(Unknown command called|Wrong number of args calling command|This command is not allowed|ERR Command arguments must be|No matching script\.|server\.\w+\(\)|for this call script|Invalid log level)`,
	},
	{What: "redis.REDIS_VERSION and redis.REDIS_VERSION_NUM are those of 7.0.15", Sent: `REDIS_VERSION|pairs\(redis\)`},
	{
		What: "A number that a script passes to a command is written with 17 digits", Reason: AsRedis70 + "; servers from 7.2 on write the shortest form",
		Ours: `\d\.\d{10,}|\de[+-]\d|"-0"`,
	},
	{What: "Line breaks in an error become spaces", Reason: "Valkey 8.0 sends them as they are, which breaks its own protocol", Sent: `\\r\\n`},
	{
		What:   "There is no os library, getfenv, setfenv or newproxy, and the metatable of strings is read-only",
		Reason: "the embedded Redis keeps the sandbox of Redis 7.0",
		Sent:   `\bos\b|[gs]etfenv|newproxy|getmetatable\(''\)|pairs\(_G\)`,
	},
	{
		What: "A script may not call BLPOP, BRPOP, BLMOVE, BRPOPLPUSH, BZPOPMIN or BZPOPMAX",
		Sent: `(?i)\bb(lpop|rpop|lmove|rpoplpush|zpopmin|zpopmax)\b`, Ours: `This Redis command is not allowed from script`,
	},
	{What: "cmsgpack._COPYRIGHT is that of Redis 7.0", Sent: `_COPYRIGHT`},
}
