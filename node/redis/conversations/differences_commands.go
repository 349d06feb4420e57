package conversations

// commandDifferences are those in commands from Redis and from Valkey.
var commandDifferences = []Difference{
	{
		What:   "SCAN, SSCAN, HSCAN and ZSCAN answer with everything at once, whatever COUNT says, and with the cursor 0",
		Reason: "how many items a call answers with is a server's to choose, and none comes or goes while a scan of one call runs",
		Test:   "TestAScanIsOverInOneCall",
	},
	{
		What:   "ZSCAN prints large scores as a short sorted set does",
		Reason: "the history of a key is not part of a trace, so keyspaces with the same content must answer the same",
		Sent:   `(?i)\bzscan `, Theirs: `e\+\d\d|\d{17}`,
	},
	{
		What:   "A string may be 16 MB long; in Redis the limit is proto-max-bulk-len, 512 MB by default",
		Reason: "otherwise a few APPENDs could use up all memory",
		Test:   "TestTextsHaveALimit",
	},
	{
		What:   "A key is gone at the millisecond of its deadline; Redis deletes it when that millisecond is over",
		Reason: "a lease of 5 s ends 5 s later on the axis of a story, before whoever sleeps as long wakes",
		Test:   "TestKeysExpireByDeadlineThenName",
	},
}

// commandDifferencesFromValkey are those in commands from Valkey alone.
var commandDifferencesFromValkey = []Difference{
	{
		What: "A score or another number with a fraction is printed with 17 digits", Reason: AsRedis70 + "; Valkey prints the shortest form",
		Common: shortNumbers,
	},
	{
		What: "LREM accepts -9223372036854775808 as a count, and LPOS as a rank",
		Sent: `(?i)\b(lrem|lpos) .*-9223372036854775808`, Theirs: `value is out of range, value must between`,
	},
	{What: "The error for a timeout that is too large says that it is negative", Theirs: `ERR timeout is out of range`, Ours: `ERR timeout is negative`},
	{What: "XADD into a millisecond that has no ids left reports that elements are too large", Ours: `ERR Elements are too large to be stored`},
	{What: "ZRANK and ZREVRANK do not accept WITHSCORE", Sent: `(?i)\bz(rev)?rank `, Ours: `(?i)wrong number of arg`},
	{What: "LSET accepts an index of more than 32 bits", Sent: `(?i)\blset \S+ -?\d{10}`},
	{What: "XREAD does not accept + for the last entry", Sent: `(?i)^xread .* \+`, Ours: `ERR Invalid stream ID`},
	{
		What:   "The error for missing ids spells XREAD in capitals",
		Theirs: `ERR Unbalanced 'xread' list of streams`, Ours: `ERR Unbalanced XREAD list of streams`,
	},
	{What: "SCAN with an unknown TYPE finds nothing; Valkey reports an error", Theirs: `ERR unknown type name`},
	{
		What: "SCAN, SSCAN, HSCAN and ZSCAN accept a negative cursor and read an empty one as 0, but reject one that begins with a blank",
		Sent: `(?i)\b(scan|[hsz]scan \S+) (-| |$)`,
	},
}
