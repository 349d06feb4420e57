package keyspace

var stringConversations = []conversation{
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
}

var collectionConversations = []conversation{
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
}
