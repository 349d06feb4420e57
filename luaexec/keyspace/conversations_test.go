package keyspace

import "slices"

// conversation is what a test says to a keyspace and to a real server, a command
// a line. A pair of quotes is an empty word, \s a space, \0 a zero byte, @+5 is five
// ms from now, @@+5 five seconds.
type conversation struct{ name, commands string }

var conversations = slices.Concat(serverConversations, keyConversations,
	stringConversations, collectionConversations, zsetConversations,
	queueConversations, moreConversations, textConversations, scanConversations)

var serverConversations = []conversation{
	{"lock and unlock", `
		EXISTS lock
		HINCRBY lock jvm-1:7 1
		PEXPIRE lock 30000
		PTTL lock
		HEXISTS lock jvm-1:7
		HEXISTS lock jvm-2:7
		HINCRBY lock jvm-1:7 -1
		DEL lock
		PTTL lock
		PUBLISH redisson_lock__channel:{lock} 0
		SET lock token NX PX 30000
		SET lock other NX PX 30000
		GET lock
		DEL lock`},
	{"unknown commands", `
		nosuch
		NoSuch a b c
		nosuch a\nb c
		nosuch a\0b c
		nosuch aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb c d
		aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
		gEt k
		PING
		PING hello
		PING a b
		ECHO hi
		TIME
		TIME now`},
	{"arity", `
		GET
		GET a b
		hget h
		HSET h f
		HSET h f v g
		HMSET h f v g
		HmSeT h f v g
		MSET a
		MSET a 1 b
		MSETNX a 1 b
		LPOP l 1 2
		ZADD z 1
		EXPIRE k
		SET k
		DEL
		PUBLISH c`},
}

var keyConversations = []conversation{
	{"deadlines", `
		EXPIRE none 10
		TTL none
		PTTL none
		EXPIRETIME none
		PEXPIRETIME none
		PERSIST none
		SET k v
		TTL k
		PTTL k
		EXPIRETIME k
		PEXPIRETIME k
		PERSIST k
		EXPIRE k 100
		TTL k
		EXPIRE k 200 NX
		TTL k
		EXPIRE k 50 GT
		TTL k
		EXPIRE k 300 GT
		TTL k
		EXPIRE k 400 LT
		TTL k
		EXPIRE k 60 LT
		TTL k
		EXPIRE k 70 XX
		TTL k
		EXPIRE k 50 XX GT
		EXPIRE k 70 nx gt
		EXPIRE k 70 NX XX
		EXPIRE k 70 GT LT
		EXPIRE k 70 BOGUS
		EXPIRE k x BOGUS
		EXPIRE k 70 GT BOGUS
		EXPIRE k x
		EXPIRE none x
		EXPIRE k 1.5
		EXPIRE k 9223372036854775807
		EXPIRE k -9223372036854775808
		EXPIRE none 9223372036854775807
		EXPIRE k 9223372036854775
		PEXPIRE k 9223372036854775807
		PEXPIRE k 9000000000000000000
		TTL k
		EXPIRE k 100
		PERSIST k
		TTL k
		EXPIRE k 100 GT
		EXPIRE k 100 XX
		EXPIRE k 100 LT
		TTL k
		EXPIREAT k @@+500
		TTL k
		PEXPIREAT k @+600000
		TTL k
		PEXPIREAT k @+500000 GT
		PEXPIREAT k @+500000 LT
		PEXPIREAT k @+500000 LT
		PEXPIREAT k @+500000 GT
		TTL k
		EXPIREAT k 9223372036854775807
		PEXPIREAT k 9223372036854775807
		EXPIREAT k -1 GT
		EXPIREAT k -1 NX
		EXISTS k
		EXPIREAT k -1
		EXISTS k
		SET k v
		EXPIRE k 0
		EXISTS k
		SET k v
		PEXPIRE k -1
		EXISTS k
		SET k v
		PEXPIREAT k 1
		EXISTS k
		SET k v
		EXPIRE k -1 XX
		EXPIRE k -1 LT
		EXISTS k`},
	{"what keeps a deadline", `
		SET a 1 EX 100
		INCR a
		TTL a
		APPEND a 0
		TTL a
		GETSET a 1
		TTL a
		SET a 1 EX 100
		MSET a 2
		TTL a
		SET a 1 EX 100
		RENAME a b
		TTL b
		SET c 1
		RENAME c b
		TTL b
		SET d 1 EX 100
		SET e 1 EX 500
		RENAME d e
		TTL e
		RENAME e e
		TTL e
		SETNX e 5
		TTL e
		DEL e
		SET e 1
		TTL e
		HSET h f v
		EXPIRE h 100
		SET h v KEEPTTL
		TTL h
		RPUSH l a
		EXPIRE l 100
		LPOP l
		RPUSH l a
		TTL l`},
	{"keys", `
		MSET a 1 b 2 ab 3 a* 4 [x] 5 a\sb 6
		KEYS *
		KEYS a*
		KEYS ?
		KEYS [ab]
		KEYS [^a]
		KEYS [a-c]
		KEYS [c-a]
		KEYS a\*
		KEYS \[x\]
		KEYS [a
		KEYS [
		KEYS [^
		KEYS a**b
		KEYS *a*b*
		KEYS ''
		KEYS [\a]
		DEL a b none
		UNLINK ab none
		EXISTS a* a* none
		COPY b x DB 1
		RENAME none x
		RENAME none none
		RENAMENX a* [x]
		RENAMENX a* fresh
		RENAMENX fresh fresh
		RENAMENX none x
		TYPE none
		TYPE fresh
		RPUSH l 1
		TYPE l
		SADD t 1
		TYPE t
		ZADD z 1 a
		TYPE z
		HSET h a b
		TYPE h
		RENAME h l
		TYPE l
		PUBLISH channel message
		SPUBLISH channel message`},
}
