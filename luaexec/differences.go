package luaexec

// Difference is something in which the embedded engine answers otherwise than a
// server, on purpose. docs/REDIS.md lists them; a comparison with a server excuses
// what one of them matches, and nothing else.
type Difference struct {
	Server string // "Redis", "Valkey", or nothing for both
	What   string
	Reason string

	// Regular expressions of the script, of the server's answer and of our own. Those
	// that are there must all match.
	Script, Answer, Own string
}

// Differences are all of them.
var Differences = []Difference{
	{
		What:   "The addresses of tables, functions and coroutines, as tostring shows them",
		Reason: "they tell the order in which values were printed, because real ones would differ from run to run",
		Answer: `(table|function|thread|userdata): 0x`,
	},
	{
		What:   "# of an array with holes is its highest index, and so is what unpack and table.insert take for its end",
		Reason: "gopher-lua's arrays do not have the sizes that Lua 5.1's happen to have grown to",
		Script: `#t|#KEYS|unpack|table\.(insert|remove|concat|maxn|getn)|cmsgpack`,
		Own:    `^[^(]`,
	},
	{
		What:   "pairs over a table whose keys were deleted or that has scattered integers may have another order",
		Reason: "gopher-lua's tables remember in which order keys came, but not what was there before",
		Script: `= nil t\.later|t\[i\] = i end t\.`,
	},
	{
		What:   "A message about an operation inside a coroutine does not name the variable",
		Reason: "gopher-lua has left the coroutine when it tells what failed there",
		Script: `coroutine`,
		Answer: `attempt to \w+( arithmetic on| length of)? (local|global|field|upvalue|method)`,
	},
	{
		What:   "goto as the name of a global variable is goto_ in the message that there is none",
		Reason: "goto is a keyword of gopher-lua, so that a script that uses it as a name has it changed",
		Script: `\bgoto\b`,
	},
	{
		What:   "A result that is no number is always -nan",
		Reason: "its sign differs between platforms, and traces must not",
		Answer: `\bnan`,
		Own:    `-nan`,
	},
	{
		What:   "Zero that comes out of a multiplication has no sign",
		Reason: "gopher-lua keeps small whole numbers as ready-made values",
		Answer: `"-0"`,
		Own:    `"0"`,
	},
	{
		What:   "An assignment of several lines that fails is on the line of its first variable",
		Reason: "it has become calls that are all on that line",
		Script: `\n`,
		Answer: `Attempt to modify a readonly table`,
	},
	{
		What:   "... outside of any function may be what stands after it",
		Reason: "gopher-lua copies one value too many when there are none",
		Script: `\.\.\.\s*,`,
	},
	{
		What:   "string.dump fails",
		Reason: "there is no bytecode that Lua 5.1 could load",
		Script: `string\.dump`,
	},
	{
		What:   "pcall without a function is an error",
		Reason: "Redis's pcall calls what happens to lie below it on the stack",
		Script: `pcall\(\)|pcall\(pcall\)`,
	},
	{
		Server: "Valkey",
		What:   "Messages say server and not redis, and some are worded anew",
		Reason: "the embedded engine answers as Redis 7.0 does",
		Answer: `(Unknown command called|Wrong number of args calling command|This command is not allowed|ERR Command arguments must be|No matching script\.|server\.\w+\(\)|for this call script|Invalid log level)`,
	},
	{
		Server: "Valkey",
		What:   "redis.REDIS_VERSION and redis.REDIS_VERSION_NUM are those of 7.0.15",
		Reason: "the embedded engine answers as Redis 7.0 does",
		Script: `REDIS_VERSION`,
	},
	{
		Server: "Valkey",
		What:   "A number that a script sends to a command is written with 17 digits",
		Reason: "the embedded engine answers as Redis 7.0 does; from 7.2 on servers write the shortest form",
		Own:    `\d\.\d{10,}|\de[+-]\d|"-0"`,
	},
	{
		Server: "Valkey",
		What:   "Line breaks in an error become blanks",
		Reason: "Valkey 8.0 sends them as they are and breaks its own protocol",
		Script: `\\r\\n`,
	},
	{
		Server: "Valkey",
		What:   "There is no os library, no getfenv and no newproxy, and the metatable of strings is read-only",
		Reason: "the embedded engine keeps the sandbox of Redis 7.0",
		Script: `\bos\b|getfenv|newproxy|getmetatable\(''\)`,
	},
}
