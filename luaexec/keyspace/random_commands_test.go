package keyspace

import "strings"

// randomTable are the commands of random runs; their arguments are what randomArg
// replaces them by.
var randomTable = strings.Split(strings.TrimSpace(`
SET S val
SET S val EX pos
SET S val PX pos NX
SET S val cond GET
SET S int KEEPTTL
SET key val
SETNX S val
SETEX S pos val
PSETEX S pos val
GETSET S val
GETDEL S
GETEX S
GETEX S EX pos
GETEX S PERSIST
GET key
STRLEN S
APPEND S val
GETRANGE S int int
SETRANGE S small val
SETRANGE S int val
INCR S
DECR S
INCRBY S int
DECRBY S int
INCRBYFLOAT S float
MGET key key key
MSET S val S int
MSETNX S val S val
SETBIT S small bit
SETBIT S int bit
GETBIT S small
BITCOUNT S
BITCOUNT S int int
BITCOUNT S int int BIT
BITPOS S bit
BITPOS S bit int
BITPOS S bit int int
BITPOS S bit int int BIT
BITOP bits S S
BITOP bits S S S
HSET H field val
HSET H field int field val
HMSET H field int
HSETNX H field val
HINCRBY H field int
HINCRBYFLOAT H field float
HGET H field
HMGET H field field
HGETALL H
HKEYS H
HVALS H
HLEN H
HEXISTS H field
HSTRLEN H field
HSCAN H 0
HSCAN H 0 MATCH field COUNT small
HDEL H field
HDEL H field field field
LPUSH L val val
RPUSH L val val
LPUSHX L val
RPUSHX L val
LPOP L
RPOP L
LPOP L int
RPOP L int
LLEN L
LINDEX L int
LRANGE L int int
LREM L int val
LTRIM L int int
LSET L int val
LINSERT L BEFORE val val
LINSERT L AFTER val val
LPOS L val
LPOS L val COUNT small
LPOS L val RANK int MAXLEN small
LMOVE L L side side
RPOPLPUSH L L
LMPOP 2 L L side
LMPOP 1 L side COUNT small
SORT L
SORT L ALPHA LIMIT small small
SORT L ALPHA DESC STORE L
SADD T val val
SREM T val val
SCARD T
SISMEMBER T val
SMISMEMBER T val val
SMEMBERS T
SMOVE T T val
SINTER T T
SUNION T T T
SDIFF T T
SINTERSTORE T T T
SUNIONSTORE T T T
SDIFFSTORE T T T
SINTERCARD 2 T T LIMIT small
SORT T ALPHA
ZADD Z score field
ZADD Z score field score field
ZADD Z cond score field score field
ZADD Z cond cond score field
ZADD Z INCR score field
ZADD Z cond INCR score field
ZINCRBY Z score field
ZREM Z field field
ZSCORE Z field
ZMSCORE Z field field
ZCARD Z
ZRANK Z field
ZREVRANK Z field
ZCOUNT Z end end
ZRANGE Z int int
ZRANGE Z int int REV WITHSCORES
ZRANGE Z end end BYSCORE WITHSCORES
ZRANGE Z end end BYSCORE REV LIMIT int int
ZRANGEBYSCORE Z end end
ZRANGEBYSCORE Z end end LIMIT int int WITHSCORES
ZREVRANGE Z int int WITHSCORES
ZREVRANGEBYSCORE Z end end WITHSCORES LIMIT int int
ZREMRANGEBYSCORE Z end end
ZREMRANGEBYRANK Z int int
ZRANGESTORE Z Z int int REV
ZRANGESTORE Z Z end end BYSCORE LIMIT int int
ZPOPMIN Z
ZPOPMAX Z
ZPOPMIN Z small
ZMPOP 2 Z Z top COUNT small
ZUNIONSTORE Z 2 Z Z
ZUNIONSTORE Z 2 Z T WEIGHTS score score
ZINTERSTORE Z 2 Z Z AGGREGATE top
ZDIFFSTORE Z 2 Z Z
ZUNION 2 Z T WITHSCORES
ZINTER 2 Z Z WITHSCORES
ZDIFF 2 Z Z WITHSCORES
ZINTERCARD 2 Z Z LIMIT small
ZSCAN Z 0
XADD X id field val
XADD X id field val field val
XADD X NOMKSTREAM id field val
XADD X MAXLEN small id field val
XADD X MINID id id field val
XADD X MAXLEN ~ small id field val
XLEN X
XDEL X id
XDEL X id id
XTRIM X MAXLEN small
XTRIM X MINID id
XTRIM X MINID ~ id
XRANGE X - +
XRANGE X from to
XREVRANGE X + - COUNT small
XREVRANGE X to from
XREAD COUNT small STREAMS X X id id
XSETID X id
DEL key
UNLINK key key
EXISTS key key
TOUCH key key
TYPE key
KEYS *1
SCAN 0 COUNT 1000
SCAN 0 COUNT 1000 TYPE hash
DBSIZE
RENAME key key
RENAMENX key key
COPY key key
COPY key key REPLACE
EXPIRE key ttl
PEXPIRE key ttl
EXPIRE key ttl cond
PEXPIRE key ttl cond cond
PERSIST key
TTL key
PTTL key
PUBLISH key val
`), "\n")
