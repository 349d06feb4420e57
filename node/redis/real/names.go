package real

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/redis/keyspace"
	"lockstep/node/redis/portable"
)

// call is an op in the form in which it is sent.
type call struct {
	args    []string
	keys    []string // declared names, with the prefix
	source  string   // of the script that the call puts into the server's cache; "": none
	written string   // source without probes
	flush   bool     // the call empties the cache
	glob    string   // filter of the names in the reply; "": none
}

// unknownSHA is the hash of no script. It replaces hashes of scripts that the session has not run: the
// cache of a shared server may have them from other sessions.
var unknownSHA = strings.Repeat("f", 40)

// pattern matches all names of a session. It begins with *, because a script may put a text before a
// declared name.
func (n *Node) pattern() string {
	if n.prefix == "" {
		return "*"
	}
	return "*" + n.prefix + "*"
}

// reservedName is a name for the node's own use. It does not match the session's pattern, and no
// script can guess it.
func (n *Node) reservedName(what string) string {
	return strings.TrimSuffix(cmp.Or(n.prefix, "lockstep:"), ":") + "#" + what + "-" + n.server.token
}

// userName is the ACL user of the steps; plain makes "lesson" of it.
func (n *Node) userName() string { return n.prefix + "lesson" }

// plain is a text of the server without the prefix.
func (n *Node) plain(text string) string {
	if n.prefix == "" {
		return text
	}
	return strings.ReplaceAll(text, n.prefix, "")
}

func (n *Node) plainReply(r reply.Reply) reply.Reply {
	if n.prefix == "" {
		return r
	}
	return said(r, func(r reply.Reply) string { return n.plain(r.Str) })
}

// said is a reply with other texts.
func said(r reply.Reply, text func(reply.Reply) string) reply.Reply {
	r.Str = text(r)
	for i := range r.Elems {
		r.Elems[i] = said(r.Elems[i], text)
	}
	return r
}

// prepare puts the session's prefix on every name that an op declares. A reply means that nothing is
// sent. A command outside the command table gets one: the places of its keys are unknown, so that it
// might reach the keys of others.
func (n *Node) prepare(op engine.Op) (call, *reply.Reply) {
	if op.Script != nil {
		args := append([]string{strconv.Itoa(len(op.Keys))}, op.Keys...)
		name := "EVAL"
		if op.ReadOnly {
			name = "EVAL_RO"
		}
		c := n.evalCall(name, op.Script.Source, op.Script.AsWritten(), append(args, op.Args...))
		return c, nil
	}
	var command *keyspace.Command
	if len(op.Args) > 0 {
		command, _ = keyspace.Lookup(op.Args[0])
	}
	if command == nil {
		_, failed := keyspace.Find(op.Args)
		return call{}, &failed
	}
	switch strings.ToLower(op.Args[0]) {
	case "eval", "evalsha", "eval_ro", "evalsha_ro":
		return n.prepareEval(op.Args), nil
	case "script":
		return n.prepareScript(op.Args)
	}
	args, answer := n.atInstant(n.withEntryID(op.Args))
	if answer != nil {
		return call{}, answer
	}
	var c call
	for _, i := range command.KeyPositions(args) {
		args[i] = n.prefix + args[i]
		c.keys = append(c.keys, args[i])
	}
	for _, i := range command.ChannelPositions(args) {
		args[i] = n.prefix + args[i]
	}
	if command.Name() == "keys" && len(args) == 2 && !n.server.Private() {
		// The node's user may ask only with the session's pattern.
		c.glob, args[1] = n.prefix+args[1], n.pattern()
	}
	c.args = args
	return c, nil
}

// answered is the reply to a call in the form for the lesson.
func (n *Node) answered(c call, r reply.Reply) reply.Reply {
	if c.glob != "" {
		r.Elems = slices.DeleteFunc(r.Elems, func(name reply.Reply) bool { return !keyspace.Match(c.glob, name.Str) })
	}
	r = n.plainReply(r)
	if c.source != "" {
		if sent := c.args[1]; sent != c.source { // with the clock
			shas := strings.NewReplacer(engine.SHA1(sent), engine.SHA1(c.source))
			r = said(r, func(r reply.Reply) string { return shas.Replace(r.Str) })
		}
		return asRedisWords(r, c.source != c.written)
	}
	if r.IsError() && r.Str == noScriptInValkey {
		r.Str += " Please use EVAL."
	}
	return portable.Ordered(c.args, r)
}

// noScriptInValkey is its error for the checksum of no script. Redis adds what to do.
const noScriptInValkey = "NOSCRIPT No matching script."

// deniedInValkey matches Valkey's error for a command that a script may not call.
var deniedInValkey = regexp.MustCompile(`ERR ACL failure in script: User [^']* has no permissions to run the '([\w|-]*)' command`)

// asRedisWords replaces deniedInValkey by the error of Redis 7.0, whose words depend on whether Redis bars the
// command from all scripts. anywhere also replaces it in other texts: a script with probes returns
// errors as such.
func asRedisWords(r reply.Reply, anywhere bool) reply.Reply {
	return said(r, func(r reply.Reply) string {
		if !anywhere && !r.IsError() {
			return r.Str
		}
		return deniedInValkey.ReplaceAllStringFunc(r.Str, func(denied string) string {
			name := deniedInValkey.FindStringSubmatch(denied)[1]
			if command, ok := keyspace.Lookup(name); ok && command.Is(keyspace.NoScript) {
				return "ERR This Redis command is not allowed from script"
			}
			return "ERR The user executing the script can't run this command or subcommand"
		})
	})
}

// prepareEval handles EVAL and EVALSHA. EVALSHA finds exactly the scripts that the session has run,
// whatever the cache of a shared server holds.
func (n *Node) prepareEval(args []string) call {
	if len(args) < 3 {
		return call{args: args} // the server says what is missing
	}
	name := strings.ToUpper(args[0])
	plain := strings.Replace(name, "EVALSHA", "EVAL", 1)
	if name == plain {
		return n.evalCall(plain, args[1], args[1], args[2:])
	}
	if source, ok := n.Source(args[1]); ok {
		return n.evalCall(plain, source, source, args[2:])
	}
	sha := args[1]
	if len(sha) == len(unknownSHA) {
		sha = unknownSHA
	}
	c := n.evalCall(name, sha, sha, args[2:])
	c.source, c.written = "", ""
	return c
}

// Source implements portable.Server.
func (n *Node) Source(sha string) (string, bool) {
	source, ok := n.scripts[strings.ToLower(sha)]
	return source, ok
}

func (n *Node) has(key string) bool {
	_, ok := n.keys[n.prefix+key]
	return ok
}

// Hashes implements portable.Server.
func (n *Node) Hashes() []engine.Key {
	var hashes []engine.Key
	for _, h := range n.keys {
		if h.key.Type == engine.HashKey {
			hashes = append(hashes, h.key)
		}
	}
	slices.SortFunc(hashes, func(a, b engine.Key) int { return cmp.Compare(a.Name, b.Name) })
	return hashes
}

// prepareScript handles SCRIPT: a session sees only its own scripts in the cache.
func (n *Node) prepareScript(args []string) (call, *reply.Reply) {
	c := call{args: slices.Clone(args)}
	if len(args) < 2 {
		return c, nil
	}
	switch strings.ToLower(args[1]) {
	case "load":
		if len(args) == 3 {
			c.source, c.written = args[2], args[2]
		}
	case "exists":
		for i, sha := range args[2:] {
			if _, ok := n.scripts[strings.ToLower(sha)]; !ok {
				c.args[i+2] = unknownSHA
			}
		}
	case "flush":
		c.flush = true
		if !n.server.Private() {
			// The cache belongs to others, too: only the session forgets.
			clear(n.scripts)
			return c, &reply.OK
		}
	}
	return c, nil
}

// evalCall is a script call; rest is the number of keys, the keys and the arguments.
func (n *Node) evalCall(name, source, written string, rest []string) call {
	text, wantsInstant := atClock(source, written)
	c := call{args: []string{name, text, rest[0]}, source: source, written: written}
	count, _ := strconv.Atoi(rest[0]) // the server words the error of a bad number
	for i, arg := range rest[1:] {
		if i < count {
			arg = n.prefix + arg
			c.keys = append(c.keys, arg)
		}
		c.args = append(c.args, arg)
	}
	if wantsInstant {
		c.args = append(c.args, strconv.FormatInt(engine.EpochMillis(n.now), 10))
	}
	return c
}

// remember keeps the session's scripts after a call. One that the server could not compile is not kept.
func (n *Node) remember(c call, r reply.Reply) {
	if c.flush && !r.IsError() {
		clear(n.scripts)
	}
	if c.source == "" || r.IsError() && strings.HasPrefix(r.Str, "ERR Error compiling script") {
		return
	}
	n.scripts[engine.SHA1(c.source)] = c.source
}
