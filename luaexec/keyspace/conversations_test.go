package keyspace

// conversations are what a test says to a keyspace and to a real server. In
// them ” is an empty word, \s a space, @+5 five ms from now, @@+5 five seconds.
var conversations = []struct{ name, commands string }{
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
	{"set options", `
		SET k v XX
		GET k
		SET k v NX
		SET k w NX
		SET k w NX GET
		SET k x GET
		SET k y XX GET
		SET new y XX GET
		SET new y NX GET
		SET k v NX XX
		SET k v XX NX
		SET k v EX
		SET k v EX 10 PX 10
		SET k v EX 10 EX 20
		TTL k
		SET k v EX 10 KEEPTTL
		SET k v KEEPTTL EX 10
		SET k v KEEPTTL
		TTL k
		SET k v
		TTL k
		SET k v EX 0
		SET k v EX -1
		set k v px 0
		SET k v EX abc
		SET k v EX 1.5
		SET k v EX 9223372036854775807
		SET k v EX 9223372036854775
		SET k v PX 9223372036854775807
		SET k v PX 9223372036854775808
		SET k v PX 99999999999999999
		EXISTS k
		SET k v PXAT @+100000
		TTL k
		SET k v EXAT @@+100
		TTL k
		SET k v EXAT @@-100
		GET k
		SET k v PXAT 1
		EXISTS k
		SET k v EXAT 0
		SET k v EXAT 9223372036854775807
		SET k v bogus
		SET k v EX 10 bogus
		SET k v ex 10 nx
		SET k v ex 10 nx
		HSET h f v
		SET h v GET
		SET h v NX GET
		SET h v
		TYPE h
		SETEX k 0 v
		SETEX k -1 v
		SETEX k x v
		SETEX k 100 v
		TTL k
		PSETEX k 0 v
		PSETEX k 100000 v
		PTTL k
		SETNX k v
		SETNX k2 v`},
	{"strings", `
		GETSET k a
		EXPIRE k 100
		GETSET k b
		TTL k
		GETDEL k
		GETDEL k
		APPEND k abc
		EXPIRE k 100
		APPEND k def
		TTL k
		STRLEN k
		STRLEN none
		GETRANGE k 0 -1
		GETRANGE k -3 -2
		GETRANGE k -2 -3
		GETRANGE k 4 2
		GETRANGE k 0 -100
		GETRANGE k -100 -50
		GETRANGE k 100 200
		GETRANGE k -9223372036854775808 9223372036854775807
		GETRANGE k 0 x
		GETRANGE none 0 -1
		SUBSTR k 0 1
		MSET a 1 b 2 a 3
		MGET a b none
		MSETNX c 1 a 9
		MSETNX c 1 d 1
		EXISTS c d
		HSET h f v
		MGET a h
		GET h
		GETSET h x
		GETDEL h
		APPEND h x
		STRLEN h
		GETRANGE h 0 1
		MSET h 1
		TYPE h`},
	{"counters", `
		INCR n
		EXPIRE n 100
		INCRBY n 41
		TTL n
		DECR n
		DECRBY n -10
		DECRBY n -9223372036854775808
		INCRBY n 9223372036854775807
		INCRBY n x
		SET n 9223372036854775807
		INCR n
		DECRBY n 1
		SET n -9223372036854775808
		DECR n
		INCR n
		SET n abc
		INCR n
		SET n \s1
		INCR n
		SET n 01
		INCR n
		SET n -0
		INCR n
		SET n +1
		INCR n
		SET n ''
		INCR n
		SET n 1.0
		INCR n
		SET n 9223372036854775808
		INCR n
		RPUSH l a
		INCR l`},
	{"hashes", `
		HSET h b 1 a 2 c 3 a 4
		HGETALL h
		HDEL h b
		HSET h b 5
		HKEYS h
		HVALS h
		HLEN h
		HMGET h a nothing c
		HMGET none a b
		HGETALL none
		HSETNX h a 9
		HSETNX h z 9
		HSTRLEN h z
		HSTRLEN h y
		HINCRBY h a 10
		HINCRBY h n x
		HINCRBY h n 9223372036854775807
		HINCRBY h n 1
		HINCRBY h n -9223372036854775808
		HSET h text abc
		HINCRBY h text 1
		HSET h spaced \s1
		HINCRBY h spaced 1
		HMSET h q 1 r 2
		HEXISTS h q
		EXPIRE h 100
		HSET h q 2
		HINCRBY h q 2
		HDEL h q q
		TTL h
		HDEL h a b c z n text r spaced nothing
		EXISTS h
		HDEL h a
		TTL h
		SET s v
		HSET s a b
		HSET s a b c
		HGET s a
		HINCRBY s a 1
		HINCRBY s a x
		HMGET s a
		HGETALL s
		HDEL s a
		HLEN s
		HEXISTS s a
		HSETNX s a b`},
	{"lists", `
		RPUSH l a b c
		LPUSH l z y
		LRANGE l 0 -1
		LRANGE l -2 -1
		LRANGE l -100 100
		LRANGE l 3 1
		LRANGE l 10 20
		LRANGE l -9223372036854775808 9223372036854775807
		LRANGE none 0 -1
		LRANGE l x 1
		LINDEX l 0
		LINDEX l -1
		LINDEX l 5
		LINDEX l -6
		LINDEX l x
		LINDEX none x
		LLEN l
		LPOP l
		RPOP l
		LPOP l 0
		LPOP l 2
		LPOP l -1
		LPOP l x
		LPOP none 1
		LPOP none 0
		LPOP none
		RPOP l 100
		EXISTS l
		RPUSH l a b a c a b
		LREM l 2 a
		LRANGE l 0 -1
		LREM l -1 b
		LRANGE l 0 -1
		LREM l 0 nothing
		LREM l x a
		LREM l -9223372036854775808 nothing
		LREM l 0 b
		LREM l 0 c
		LREM l 0 a
		EXISTS l
		RPUSH l 1 2 3 4 5
		EXPIRE l 100
		LTRIM l 1 -2
		LRANGE l 0 -1
		TTL l
		LTRIM l 0 x
		LTRIM l 5 10
		EXISTS l
		LTRIM l 0 1
		SET s v
		LPUSH s a
		LPOP s
		LPOP s 0
		LRANGE s 0 1
		LINDEX s x
		LREM s 0 a
		LTRIM s 0 1
		LLEN s`},
	{"sets", `
		SADD t 3 1 2 1
		SMEMBERS t
		SADD t x
		SISMEMBER t x
		SISMEMBER t y
		SISMEMBER none y
		SCARD t
		SCARD none
		SREM t 1 1 nothing
		SMEMBERS t
		SMEMBERS none
		SREM t 2 3 x
		EXISTS t
		SREM t x
		SET s v
		SADD s a
		SREM s a
		SCARD s
		SMEMBERS s
		SISMEMBER s a`},
	{"zadd", `
		ZADD z 1 a 2 b 3 c
		ZADD z 1 a 5 b 9 d
		ZADD z CH 1 a 6 b 9 e
		ZADD z NX 100 a 7 f
		ZADD z XX 100 a 7 g
		ZADD z XX CH 101 a 7 g
		ZADD z GT 50 a
		ZADD z GT CH 500 a
		ZADD z LT CH 1 a
		ZADD z LT CH 5 a
		ZADD z NX XX 1 a
		ZADD z NX GT 1 a
		ZADD z GT LT 1 a
		ZADD z NX LT 1 a
		ZADD z INCR 1 a 2 b
		ZADD z INCR 2.5 a
		ZADD z NX INCR 1 a
		ZADD z XX INCR 1 nothing
		ZADD z GT INCR -1 a
		ZADD z LT INCR -1 a
		ZADD none XX 1 a
		ZADD none XX INCR 1 a
		EXISTS none
		ZADD z 1
		ZADD z NX
		ZADD z NX 1
		ZADD z x a
		ZADD z 1 a nan b
		ZADD z 1_0 a
		ZADD z '' a
		ZADD z \s1 a
		ZADD z 1\s a
		ZADD z 0x10 hex
		ZSCORE z hex
		ZADD z 0x1p-3 hex
		ZSCORE z hex
		ZADD z 0x hex
		ZADD z 1e400 a
		ZADD z 1e-400 a
		ZADD z 0e-400 zero
		ZADD z 5e-324 tiny
		ZSCORE z tiny
		ZADD z .5 half 5. five +7 seven
		ZRANGE z 0 -1 WITHSCORES
		ZADD z infinity a
		ZADD z INCR -inf a
		ZINCRBY z -inf a
		ZSCORE z a
		ZADD z -Inf b
		ZSCORE z b
		ZINCRBY z x b
		ZINCRBY z 1 new
		ZINCRBY z 0.1 new
		ZINCRBY z 0.2 new
		ZSCORE z nothing
		ZSCORE none a
		ZCARD z
		ZREM z a b nothing
		ZREM none a
		ZRANK z c
		ZREVRANK z c
		ZRANK z nothing
		ZRANK none a
		SET s v
		ZADD s 1 a
		ZADD s x a
		ZINCRBY s 1 a
		ZSCORE s a
		ZREM s a
		ZCARD s
		ZRANK s a
		ZRANGE s 0 1`},
	{"scores as text", `
		ZADD z 0.1 a 1e17 b 12345678901234567 c 1e16 d 3 e -0 f 1e-5 g 0.0001 h 1e21 i 1.7976931348623157e308 j 100000 k 123456.789 l
		ZRANGE z 0 -1 WITHSCORES
		ZINCRBY z 0 a
		ZADD z INCR 0 b
		ZSCORE z f
		ZADD z 0 f
		ZSCORE z f`},
	{"zrange", `
		ZADD z 1 a 2 b 2 c 3 d 4 e
		EXPIRE z 100
		ZRANGE z 0 -1
		ZRANGE z 0 -1 REV
		ZRANGE z 1 2 REV WITHSCORES
		ZRANGE z -2 -1
		ZRANGE z 3 1
		ZRANGE z 9 10
		ZRANGE z 9 10 REV
		ZRANGE z -100 0 REV
		ZRANGE z -9223372036854775808 9223372036854775807
		ZRANGE z 0 9223372036854775808
		ZRANGE z a b
		ZRANGE z 2 3 BYSCORE
		ZRANGE z (2 3 BYSCORE
		ZRANGE z 3 2 BYSCORE
		ZRANGE z 3 2 BYSCORE REV WITHSCORES
		ZRANGE z +inf -inf BYSCORE REV LIMIT 1 2
		ZRANGE z -inf +inf BYSCORE LIMIT 1 2
		ZRANGE z -inf +inf BYSCORE LIMIT 1 -1
		ZRANGE z -inf +inf BYSCORE LIMIT -1 2
		ZRANGE z -inf +inf BYSCORE LIMIT 1 0
		ZRANGE z -inf +inf BYSCORE LIMIT 10 1
		ZRANGE z -inf +inf BYSCORE LIMIT 9223372036854775807 9223372036854775807
		ZRANGE z -inf +inf BYSCORE LIMIT 0 9223372036854775807 WITHSCORES
		ZRANGE z -inf +inf BYSCORE LIMIT 0
		ZRANGE z -inf +inf BYSCORE LIMIT x 1
		ZRANGE z x +inf BYSCORE
		ZRANGE z (x +inf BYSCORE
		ZRANGE z ( 2 BYSCORE
		ZRANGE z '' 2 BYSCORE
		ZRANGE z \s1 2 BYSCORE
		ZRANGE z 1\s 2 BYSCORE
		ZRANGE z nan 2 BYSCORE
		ZRANGE z -1e400 1e400 BYSCORE
		ZRANGE z 1\0x 2 BYSCORE
		ZRANGE z 0 -1 LIMIT 0 1
		ZRANGE z 0 -1 LIMIT 0 -1
		ZRANGE z 0 -1 LIMIT 2 -1
		ZRANGE z 0 -1 BOGUS
		ZRANGE z - + BYLEX WITHSCORES
		ZRANGE z 0 -1 BYSCORE BYLEX
		ZRANGE z 0 -1 BYSCORE BYSCORE
		ZRANGE z 0 -1 REV REV
		ZRANGE none 0 -1
		ZRANGE none x -1
		ZRANGEBYSCORE z 2 3
		ZRANGEBYSCORE z (1 (4 WITHSCORES LIMIT 1 1
		ZRANGEBYSCORE z -inf (inf
		ZRANGEBYSCORE z 1 2 REV
		ZRANGEBYSCORE none 1 2
		ZREVRANGEBYSCORE z 3 2
		ZREVRANGEBYSCORE z 3 (2 WITHSCORES
		ZREVRANGE z 0 1
		ZREVRANGE z 0 1 WITHSCORES
		ZREVRANGE z 0 1 LIMIT 0 1
		ZCOUNT z 2 3
		ZCOUNT z (2 +inf
		ZCOUNT z 3 2
		ZCOUNT z x 2
		ZCOUNT none 1 2
		ZREMRANGEBYRANK z 0 0
		ZREMRANGEBYRANK z 5 2
		ZREMRANGEBYRANK z x 2
		ZREMRANGEBYSCORE z (2 3
		ZREMRANGEBYSCORE z x 3
		ZRANGE z 0 -1 WITHSCORES
		TTL z
		ZREMRANGEBYSCORE z -inf +inf
		EXISTS z
		ZREMRANGEBYRANK z 0 -1`},
	{"zrange by member", `
		ZADD z 0 a 0 aa 0 b 0 c 0 d 0 ''
		ZRANGE z - + BYLEX
		ZRANGE z [a [c BYLEX
		ZRANGE z (a (c BYLEX
		ZRANGE z (c (a BYLEX
		ZRANGE z + - BYLEX
		ZRANGE z + - BYLEX REV
		ZRANGE z [c (a BYLEX REV LIMIT 1 1
		ZRANGE z [ [a BYLEX
		ZRANGE z ( [a BYLEX
		ZRANGE z a [c BYLEX
		ZRANGE z -x + BYLEX
		ZRANGE z '' + BYLEX
		ZRANGEBYLEX z [a + LIMIT 0 2
		ZRANGEBYLEX z - + WITHSCORES
		ZREVRANGEBYLEX z + [b
		ZRANGE none - x BYLEX`},
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
		EXPIRE k 70 XX GT
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
