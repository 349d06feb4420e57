package keyspace

import (
	"strings"

	"lockstep/engine/reply"
)

// The error replies of Redis 7.0, word for word.
var (
	errWrongType     = reply.OfError("WRONGTYPE Operation against a key holding the wrong kind of value")
	errSyntax        = reply.OfError("ERR syntax error")
	errNotInt        = reply.OfError("ERR value is not an integer or out of range")
	errNotPositive   = reply.OfError("ERR value is out of range, must be positive")
	errNotFloat      = reply.OfError("ERR value is not a valid float")
	errHashNotInt    = reply.OfError("ERR hash value is not an integer")
	errOverflow      = reply.OfError("ERR increment or decrement would overflow")
	errDecrOverflow  = reply.OfError("ERR decrement would overflow")
	errTooLong       = reply.OfError("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
	errNoSuchKey     = reply.OfError("ERR no such key")
	errExpireNX      = reply.OfError("ERR NX and XX, GT or LT options at the same time are not compatible")
	errExpireGTLT    = reply.OfError("ERR GT and LT options at the same time are not compatible")
	errZaddNXXX      = reply.OfError("ERR XX and NX options at the same time are not compatible")
	errZaddGTLTNX    = reply.OfError("ERR GT, LT, and/or NX options at the same time are not compatible")
	errZaddIncrPairs = reply.OfError("ERR INCR option supports a single increment-element pair")
	errScoreNaN      = reply.OfError("ERR resulting score is not a number (NaN)")
	errBoundNotFloat = reply.OfError("ERR min or max is not a float")
	errLimitAlone    = reply.OfError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	errOutOfMemory   = reply.OfError("OOM command not allowed when used memory > 'maxmemory'.")
	errNoDatabase    = reply.OfError("ERR DB index is out of range")
	errIndex         = reply.OfError("ERR index out of range")
	errNumKeys       = reply.OfError("ERR numkeys should be greater than 0")
	errCount         = reply.OfError("ERR count should be greater than 0")
	errIncrInfinite  = reply.OfError("ERR increment would produce NaN or Infinity")
	errNaNOrInfinity = reply.OfError("ERR value is NaN or Infinity")
	errHashNotFloat  = reply.OfError("ERR hash value is not a float")
	errStreamID      = reply.OfError("ERR Invalid stream ID specified as stream command argument")
	errStreamStart   = reply.OfError("ERR invalid start ID for the interval")
	errStreamEnd     = reply.OfError("ERR invalid end ID for the interval")
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
