// Package redis is an embedded Redis server: commands and scripts over a keyspace in
// memory, for lessons and behind a port. It answers as Redis 7.0 does; docs/REDIS.md lists every
// known difference. A lesson may make it a newer server, which has a few commands more (newer.go).
//
// Look runs a script with probes in its text (package luaprobe), on any node. Reply, errors and
// state are those of the original script, and the probes read the keys after each line on the
// server that runs it. Unless somebody looks inside, the original text runs. What a script of a
// real client did is found in the same way: it runs once more on the keys that it had found
// before, in memory.
package redis
