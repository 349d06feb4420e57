package conversations

// portDifferences are those in the port from Redis and from Valkey.
var portDifferences = []Difference{
	{What: "There are no consumer groups", Reason: "no lock needs them", Absent: "xgroup xreadgroup xack xclaim xautoclaim xpending xinfo"},
	{
		What: "There are no bitmaps, bit fields, longest common subsequences, HyperLogLogs or geospatial indexes", Reason: "no lock needs them",
		Absent: "bitcount bitop bitpos getbit setbit bitfield bitfield_ro lcs pfadd pfcount pfmerge pfdebug pfselftest geoadd geodist geohash geopos georadius georadius_ro georadiusbymember georadiusbymember_ro geosearch geosearchstore",
	},
	{
		What:   "There is no SORT, no OBJECT and no COPY, nothing that combines sorted sets or picks at random without taking away, and ids of streams cannot be set",
		Reason: "of the locks, queues and limiters that were tried, Symfony's semaphore alone sends one of them, ZINTERSTORE",
		Absent: "sort sort_ro object copy zunion zunionstore zinter zintercard zinterstore zdiff zdiffstore zrangestore srandmember hrandfield zrandmember randomkey xsetid",
	},
	{
		What:   "No command goes by several sets at once, by the members of sorted sets (ZRANGE has no BYLEX), or writes a part of a string; a value is found where it first stands (LPOS has no options); a stream is trimmed to a length alone (no MINID, and no LIMIT)",
		Reason: "no lock, queue or limiter sends them",
		Absent: "sdiff sinter sunion setrange substr hstrlen sdiffstore sinterstore sunionstore sintercard zlexcount zrangebylex zrevrangebylex zremrangebylex",
	},
	{What: "There are no function libraries", Reason: "lessons, and the lock libraries that they show, send scripts", Absent: "function fcall fcall_ro"},
	{What: "Nothing is saved to disk", Reason: "keys live only as long as the process", Absent: "save bgsave bgrewriteaof lastsave"},
	{
		What: "Keys cannot be moved to another database or server", Reason: "there is no other server, and databases exist only for tests that select one",
		Absent: "dump restore restore-asking migrate move swapdb",
	},
	{
		What: "There are no replicas", Reason: "a process is one server; a lesson with several servers has several independent nodes",
		Absent: "replicaof slaveof failover sync psync replconf readonly readwrite asking",
	},
	{What: "Replies cannot be switched off", Reason: "no client library does so", Absent: "client|reply"},
	{What: "No client is spared when their replies take too much room", Reason: "no client library asks for it", Absent: "client|no-evict"},
	{What: "There is one user, and there are no modules", Reason: "requirepass is all that lock clients need", Absent: "acl module"},
	{
		What: "There are no commands that monitor or profile the server", Reason: "the page shows what happens",
		Absent: "monitor lolwut command|getkeys command|getkeysandflags latency memory slowlog",
	},
}

// portDifferencesFromValkey are those in the port from Valkey alone.
var portDifferencesFromValkey = []Difference{
	{What: "HELLO reports Redis 7.0.15", Theirs: `valkey`, Ours: `7\.0\.15`},
	{
		What:   "The error for HELLO before AUTH does not contain <proto>",
		Theirs: `NOAUTH HELLO must be called .* HELLO <proto> AUTH`, Ours: `NOAUTH HELLO must be called .* HELLO AUTH`,
	},
	{
		What:   "MULTI and WATCH inside a transaction have error messages of their own and do not abort the transaction",
		Theirs: `Command not allowed inside a transaction|EXECABORT`, Ours: `MULTI calls can not be nested|WATCH inside MULTI is not allowed|^"\*`,
	},
	{What: "The error while a script runs begins with BUSY Redis, not BUSY Valkey", Theirs: `BUSY Valkey`, Ours: `BUSY Redis`},
	{What: "UNSUBSCRIBE, PUNSUBSCRIBE and SUNSUBSCRIBE reply even without a subscription", Theirs: `NOSUB`},
	{
		What: "A client that publishes to a channel it is subscribed to receives the message before the reply",
		Sent: `PUBLISH|EXEC|UNSUBSCRIBE|<`, Theirs: `message|:1`, Ours: `message|:1`,
	},
	{
		What: "A client blocked on several keys, all filled by one transaction, is served from the key that was filled first",
		Sent: `<`, Theirs: `k1`, Ours: `k2`,
	},
}
