package conversations

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Keys are the keys that Command uses: few, so that commands hit the same ones. The
// first letter says which type of value most commands use the key for.
var Keys = []string{"s1", "s2", "h1", "h2", "l1", "l2", "t1", "t2", "x1", "x2", "z1", "z2"}

// Command returns a random command whose arguments mostly suit it. Deadlines are far
// in the future or in the past, so that a real clock makes no difference.
func Command(r *rand.Rand) []string {
	args := strings.Fields(templates[r.IntN(len(templates))])
	for i, word := range args {
		args[i] = Argument(r, word)
	}
	if r.IntN(40) == 0 { // too few or too many arguments
		if r.IntN(2) == 0 && len(args) > 1 {
			return args[:len(args)-1]
		}
		return append(args, Argument(r, "val"))
	}
	return args
}

// Argument returns an argument for a word of a template. Most words stand for
// themselves; one that begins with = always does.
func Argument(r *rand.Rand, a string) string {
	if word, ok := strings.CutPrefix(a, "="); ok {
		return word
	}
	if r.IntN(60) == 0 {
		return pick(r, "", "abc", "-1", "9223372036854775807", "-9223372036854775808", "1.5", "inf", "nan", "0x10", "WITHSCORES")
	}
	switch a {
	case "S", "H", "L", "T", "X", "Z":
		if r.IntN(20) == 0 {
			return pick(r, Keys...)
		}
		return strings.ToLower(a) + pick(r, "1", "2")
	case "key":
		return pick(r, Keys...)
	case "int":
		return pick(r, "0", "1", "-1", "2", "-2", "3", "10", "-10", "100", "9223372036854775807", "-9223372036854775808")
	case "ttl":
		if r.IntN(3) > 0 { // far enough from each other for GT and LT on a real clock
			return strconv.Itoa(100_000 + 10_000*r.IntN(1000))
		}
		return pick(r, "0", "-5", "9223372036854775807", "99999999999999")
	case "date":
		return strconv.Itoa(4102444800 + 10_000*r.IntN(1000))
	case "date-ms":
		return strconv.Itoa(4102444800000 + 10_000_000*r.IntN(1000))
	case "pos":
		return pick(r, "100000", "200000", "1000000", "0", "-5", "9223372036854775807")
	case "score":
		return pick(r, "0", "1", "-1", "2", "2.5", "0.1", "1e17", "-inf", "+inf", "3", "3", "1e300")
	case "end":
		return pick(r, "0", "(1", "1", "2", "(2.5", "-inf", "+inf", "(inf", "-1", "0.1", "x")
	case "id":
		return strconv.Itoa(r.IntN(60)) + pick(r, "", "-0", "-1", "-2", "-*")
	case "from", "to":
		return pick(r, "-", "+", "(", "") + strconv.Itoa(r.IntN(60)) + pick(r, "", "-1")
	case "small":
		return pick(r, "0", "1", "2", "3", "10")
	case "side":
		return pick(r, "LEFT", "RIGHT", "right")
	case "top":
		return pick(r, "MIN", "MAX")
	case "float":
		return pick(r, "1.5", "0.1", "-3", "1e10", "-2.25e3", "0.00001", "7")
	case "field", "val":
		return pick(r, "a", "b", "c", "d", "1", "2", "3", "-7", "44", "0", "e", "f")
	case "cond":
		return pick(r, "NX", "XX", "GT", "LT", "CH", "nx", "xx")
	}
	return a
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// templates are commands of all families, several on a line.
var templates = strings.FieldsFunc(`
SET S val | SET S val EX pos | SET S val PX pos NX | SET S val cond GET | SET S int KEEPTTL
SET key val
SETNX S val | SETEX S pos val | PSETEX S pos val | GETSET S val | GETDEL S | GETEX S | GETEX S EX pos
GETEX S PERSIST
GET key
STRLEN S | APPEND S val | GETRANGE S int int | INCR S | DECR S
INCRBY S int | DECRBY S int | INCRBYFLOAT S float
MGET key key key
MSET S val S int | MSETNX S val S val
HSET H field val | HSET H field int field val | HMSET H field int | HSETNX H field val | HINCRBY H field int
HINCRBYFLOAT H field float | HGET H field | HMGET H field field | HGETALL H | HKEYS H | HVALS H | HLEN H
HEXISTS H field | HSCAN H 0 | HSCAN H 0 MATCH field COUNT small | HDEL H field
HDEL H field field field
LPUSH L val val | RPUSH L val val | LPUSHX L val | RPUSHX L val | LPOP L | RPOP L | LPOP L int | RPOP L int | LLEN L
LINDEX L int | LRANGE L int int | LREM L int val | LTRIM L int int | LSET L int val | LINSERT L BEFORE val val
LINSERT L AFTER val val | LPOS L val | LMOVE L L side side
RPOPLPUSH L L | LMPOP 2 L L side | LMPOP 1 L side COUNT small
SADD T val val | SREM T val val | SCARD T | SISMEMBER T val | SMISMEMBER T val val | SMEMBERS T | SMOVE T T val
ZADD Z score field | ZADD Z score field score field | ZADD Z cond score field score field
ZADD Z cond cond score field | ZADD Z INCR score field | ZADD Z cond INCR score field | ZINCRBY Z score field
ZREM Z field field | ZSCORE Z field | ZMSCORE Z field field | ZCARD Z | ZRANK Z field | ZREVRANK Z field
ZCOUNT Z end end | ZRANGE Z int int | ZRANGE Z int int REV WITHSCORES | ZRANGE Z end end BYSCORE WITHSCORES
ZRANGE Z end end BYSCORE REV LIMIT int int | ZRANGEBYSCORE Z end end
ZRANGEBYSCORE Z end end LIMIT int int WITHSCORES | ZREVRANGE Z int int WITHSCORES
ZREVRANGEBYSCORE Z end end WITHSCORES LIMIT int int | ZREMRANGEBYSCORE Z end end | ZREMRANGEBYRANK Z int int
ZPOPMIN Z | ZPOPMAX Z | ZPOPMIN Z small | ZMPOP 2 Z Z top COUNT small | ZSCAN Z 0
XADD X id field val | XADD X id field val field val | XADD X NOMKSTREAM id field val
XADD X MAXLEN small id field val | XADD X MAXLEN ~ small id field val | XLEN X
XDEL X id | XDEL X id id | XTRIM X MAXLEN small | XRANGE X - +
XRANGE X from to | XREVRANGE X + - COUNT small | XREVRANGE X to from | XREAD COUNT small STREAMS X X id id
DEL key | UNLINK key key | EXISTS key key | TOUCH key key | TYPE key | KEYS *1 | SCAN 0 COUNT 1000
SCAN 0 COUNT 1000 TYPE hash | DBSIZE | RENAME key key | RENAMENX key key | EXPIRE key ttl | PEXPIRE key ttl
EXPIRE key ttl cond | PEXPIRE key ttl cond cond | PERSIST key | TTL key | PTTL key | PUBLISH key val
SET S val EXAT date | SET S val PXAT date-ms XX | SET S val EX ttl | GETEX S PXAT date-ms
SET key val GET
SADD T int int | SADD T val float | SSCAN T 0 | SSCAN T 0 MATCH val*
HSCAN H x
ZSCAN Z 0 MATCH field | ZADD Z score field score | ZADD Z score val
ZRANGE Z int int BYSCORE LIMIT small int | ZPOPMAX Z int | ZINCRBY Z float val
XADD X MAXLEN = small id field val | XREAD COUNT small STREAMS X id | XREAD STREAMS X X id
XRANGE X id id COUNT int | XRANGE X from to
XLEN key | EXPIREAT key date | PEXPIREAT key date-ms | EXPIREAT key date cond | PEXPIREAT key date-ms cond cond
EXPIRETIME key | PEXPIRETIME key | KEYS [hs]? | SCAN 0 MATCH s* COUNT 1000 | SCAN 0 TYPE string COUNT 100
PUBSUB CHANNELS | PUBSUB NUMSUB key | PUBSUB NUMPAT | SPUBLISH key val | FLUSHDB val | TIME | ECHO val | PING
PING val
`, func(r rune) bool { return r == '\n' || r == '|' })
