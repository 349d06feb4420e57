package port

import (
	"fmt"
	"strconv"
	"time"

	"lockstep/engine/reply"
)

var debugCommands = []command{
	{"debug", movesClock, debugCommand},
}

// debugCommand is what tests of clients and Redis's own tests ask of DEBUG.
// ADVANCE is this server's own: it moves a virtual clock.
func debugCommand(s *Server, c *conn, args []string) {
	switch subcommand := lower(args[1]); {
	case subcommand == "advance" && len(args) == 3:
		debugAdvance(s, c, args[2])
	case subcommand == "sleep" && len(args) == 3:
		debugSleep(s, c, args[2])
	case subcommand == "set-active-expire" && len(args) == 3:
		s.data.lazily = args[2] == "0"
		c.reply(reply.OK)
	case subcommand == "error" && len(args) == 3:
		c.error(args[2])
	case subcommand == "log" && len(args) == 3:
		s.log.Info("DEBUG LOG", "message", args[2])
		c.reply(reply.OK)
	case subcommand == "protocol" && len(args) == 3:
		debugProtocol(c, lower(args[2]))
	case subcommand == "help" && len(args) == 2:
		c.reply(reply.OfArray(
			reply.OfStatus("DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"),
			reply.OfStatus("ADVANCE <milliseconds>"), reply.OfStatus("    Move the virtual clock (--clock virtual). Returns the new Unix time in milliseconds."),
			reply.OfStatus("ERROR <string>"), reply.OfStatus("    Return an error with this message."),
			reply.OfStatus("LOG <message>"), reply.OfStatus("    Write a message to the log."),
			reply.OfStatus("PROTOCOL <type>"), reply.OfStatus("    Return a test value of a type of the protocol."),
			reply.OfStatus("SET-ACTIVE-EXPIRE <0|1>"), reply.OfStatus("    Whether keys are deleted that expired and that nobody asks for."),
			reply.OfStatus("SLEEP <seconds>"), reply.OfStatus("    Stop the server for so long. A virtual clock moves instead."),
		))
	default:
		c.error(fmt.Sprintf("ERR unknown subcommand or wrong number of arguments for '%s'. Try DEBUG HELP.", cut(args[1], 128)))
	}
}

func debugAdvance(s *Server, c *conn, text string) {
	ms, ok := parseInt(text)
	switch limit := int64(maxAdvance / time.Millisecond); {
	case s.clock.kind != Virtual:
		c.error("ERR the clock is real, and only a virtual one can be moved: start the server with --clock virtual")
	case !ok || ms < 0 || ms > limit:
		c.error(fmt.Sprintf("ERR the clock moves by a number of milliseconds from 0 to %d", limit))
	case s.clock.now > 2*maxAdvance-time.Duration(ms)*time.Millisecond:
		c.error("ERR the clock has come to its end: restart the server")
	default:
		s.advance(time.Duration(ms) * time.Millisecond)
		c.reply(reply.OfInt(s.clock.date().UnixMilli()))
	}
}

// debugSleep holds everybody up, as Redis does. Where time is virtual, it passes.
func debugSleep(s *Server, c *conn, text string) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0) {
		seconds = 0
	}
	d := time.Duration(min(seconds, maxAdvance.Seconds()) * float64(time.Second))
	if s.clock.kind == Virtual {
		s.advance(d)
	} else {
		select {
		case <-time.After(d):
		case <-s.closed:
		}
	}
	c.reply(reply.OK)
}

// protocolSamples are what DEBUG PROTOCOL answers, so that clients can test their
// parsers.
var protocolSamples = map[string]reply.Reply{
	"string":   reply.OfBulk("Hello World"),
	"integer":  reply.OfInt(12345),
	"double":   reply.OfDouble("3.141"),
	"bignum":   reply.OfBigNumber("1234567999999999999999999999999999999"),
	"null":     {},
	"array":    reply.OfArray(reply.OfInt(0), reply.OfInt(1), reply.OfInt(2)),
	"set":      reply.OfSet(reply.OfInt(0), reply.OfInt(1), reply.OfInt(2)),
	"map":      reply.OfMap(reply.OfInt(0), reply.OfBool(false), reply.OfInt(1), reply.OfBool(true), reply.OfInt(2), reply.OfBool(false)),
	"true":     reply.OfBool(true),
	"false":    reply.OfBool(false),
	"verbatim": reply.OfVerbatim("txt", "This is a verbatim\nstring"),
}

func debugProtocol(c *conn, kind string) {
	sample, ok := protocolSamples[kind]
	if !ok {
		sample = reply.OfError("ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false")
	}
	c.reply(sample)
}
