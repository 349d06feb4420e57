package attach

import (
	"slices"
	"strings"

	"lockstep/engine"
)

// act is one command of a client, with its effects.
type act struct {
	actor   string
	args    []string
	script  *call
	source  *source // of the script; empty: not known
	changes []engine.Change
	failed  bool
}

// wants is the lock that an act asks for, and the token where a command has it; empty: it asks for none.
func (l *locks) wants(a act) (key, token string) {
	switch verb := strings.ToUpper(a.args[0]); {
	case verb == "SETNX" && len(a.args) == 3:
		return a.args[1], a.args[2]
	case verb == "SET" && len(a.args) > 3 && slices.ContainsFunc(a.args[3:], func(o string) bool { return strings.EqualFold(o, "NX") }):
		return a.args[1], a.args[2]
	case a.script != nil && len(a.script.keys) > a.source.kind.lockAt && !a.source.inJobs() && (l.acquires[a.script.sha] || a.source.kind.obtains):
		return a.script.keys[a.source.kind.lockAt], ""
	}
	return "", ""
}

// knows tells whether an act shows a token.
func (a act) knows(token string) bool {
	given := a.args
	if a.script != nil {
		given = a.script.values
	}
	if a.source.inJobs() { // they are packed
		return slices.ContainsFunc(given, func(v string) bool { return strings.Contains(v, token) })
	}
	return slices.Contains(given, token)
}

// about has the keys of an act; of a command, other arguments as well.
func (a act) about() []string {
	if a.script != nil {
		return a.script.keys
	}
	return a.args[1:]
}

// tokenIn is the token in a key that an act has set, if it set the key as a lock.
func (a act) tokenIn(k *engine.Key) (token string, ok bool) {
	switch {
	case strings.HasPrefix(k.Name, latchPrefix):
		return "", false
	case k.Type == engine.StringKey:
		token = k.Text
	case k.Type == engine.HashKey && len(k.Items) == 1:
		token = k.Items[0].Name
	default:
		return "", false
	}
	verb := strings.ToUpper(a.args[0])
	if a.script == nil {
		return token, k.Type == engine.StringKey && (verb == "SET" || verb == "SETNX")
	}
	isGiven := slices.Contains(a.script.keys, k.Name) || a.source.inJobs() && strings.HasSuffix(k.Name, jobLock)
	return token, a.source.asks() && isGiven && a.knows(token)
}

func (l *locks) isWanted(a act, key string) bool {
	wanted, _ := l.wants(a)
	return wanted == key
}
