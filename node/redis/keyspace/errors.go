package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// Error replies of Redis 7.0, word for word, that several commands give.
var (
	errWrongType    = reply.OfError("WRONGTYPE Operation against a key holding the wrong kind of value")
	errSyntax       = reply.OfError("ERR syntax error")
	errNotInt       = reply.OfError("ERR value is not an integer or out of range")
	errNotFloat     = reply.OfError("ERR value is not a valid float")
	errOverflow     = reply.OfError("ERR increment or decrement would overflow")
	errTooLong      = reply.OfError("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
	errNoSuchKey    = reply.OfError("ERR no such key")
	errOutOfMemory  = reply.OfError("OOM command not allowed when used memory > 'maxmemory'.")
	errIncrInfinite = reply.OfError("ERR increment would produce NaN or Infinity")
	errStreamID     = reply.OfError("ERR Invalid stream ID specified as stream command argument")
)

func wrongArity(name string) reply.Reply {
	return reply.OfError("ERR wrong number of arguments for '" + strings.ToLower(name) + "' command")
}

func invalidExpire(name string) reply.Reply {
	return reply.OfError("ERR invalid expire time in '" + strings.ToLower(name) + "' command")
}

// UnknownOrArity is the error of older commands for an unknown subcommand as well as for a
// wrong number of arguments.
func UnknownOrArity(command, sub string) reply.Reply {
	return reply.OfError("ERR unknown subcommand or wrong number of arguments for '" + firstBytes(sub, 128) + "'. Try " + command + " HELP.")
}

func unknownSubcommand(command, sub string) reply.Reply {
	return reply.OfError("ERR unknown subcommand '" + reply.OneLine(firstBytes(sub, 128)) + "'. Try " + strings.ToUpper(command) + " HELP.")
}
