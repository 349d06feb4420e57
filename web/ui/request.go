package ui

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// requestText is an actor's next request, as code if it is a call.
func requestText(lang lessons.Lang, r engine.Request, say spanText) string {
	switch r := r.(type) {
	case engine.Exec:
		return execText(r)
	case engine.Subscribe:
		return "SUBSCRIBE " + r.Channel
	case engine.Unsubscribe:
		return "UNSUBSCRIBE " + r.Channel
	case engine.AwaitReplicas:
		return "WAIT " + strconv.Itoa(r.Replicas) + " " + strconv.FormatInt(max(r.Timeout, 0).Milliseconds(), 10)
	case engine.Receive:
		if r.Timeout < 0 {
			return ofEvents(r.Channel, zkAwait, reqReceive).in(lang, r.Channel)
		}
		return ofEvents(r.Channel, zkAwaitFor, reqReceiveFor).in(lang, r.Channel, say(lang, r.Timeout))
	case engine.Await:
		return reqAwait.in(lang, r.Name)
	case engine.Sleep:
		if r.Label != "" {
			return reqWork.in(lang, say(lang, r.For))
		}
		return reqSleep.in(lang, say(lang, r.For))
	}
	return ""
}

// execText is a script call as lock(anyLock; 30000, A), a request to a ZooKeeper as the
// client's code has it, or a command as one types it.
func execText(e engine.Exec) string {
	op := e.Op
	if ofZnodes(op) {
		return znodeText(e)
	}
	asking := ""
	if op.Asking {
		asking = "ASKING "
	}
	if op.Script == nil && op.Shared != "" {
		return op.Shared + ": " + commandText(op.Args)
	}
	if op.Script == nil {
		return asking + commandText(op.Args)
	}
	text := asking + op.Script.Name + "(" + strings.Join(op.Keys, ", ")
	if len(op.Args) > 0 {
		text += "; " + strings.Join(op.Args, ", ")
	}
	return text + ")"
}

func commandText(args []string) string {
	if (engine.Op{Args: args}).IsStatement() {
		return strings.Join(strings.Fields(args[0]), " ")
	}
	words := slices.Clone(args)
	for i, w := range words {
		switch {
		case i == 0:
			words[i] = strings.ToUpper(w)
		case w == "" || strings.ContainsAny(w, " \t\r\n"):
			words[i] = `"` + w + `"`
		}
	}
	return strings.Join(words, " ")
}

// opName is the short name that stands on an arrow: lock, SET, create.
func opName(r engine.Request) string {
	switch r := r.(type) {
	case engine.Exec:
		if r.Op.Script != nil {
			return r.Op.Script.Name
		}
		if len(r.Op.Args) > 0 {
			if ofZnodes(r.Op) {
				return r.Op.Args[0]
			}
			word, _, _ := strings.Cut(r.Op.Args[0], " ") // of a statement its verb
			return strings.ToUpper(word)
		}
	case engine.AwaitReplicas:
		return "WAIT"
	case engine.Subscribe:
		return "SUBSCRIBE"
	case engine.Unsubscribe:
		return "UNSUBSCRIBE"
	}
	return ""
}

// askedText is a request in a sentence: a script by its name, all else as it is typed.
func askedText(lang lessons.Lang, r engine.Request) string {
	if e, ok := r.(engine.Exec); ok && e.Op.Script != nil {
		return e.Op.Script.Name
	}
	text := requestText(lang, r, span)
	if e, ok := r.(engine.Exec); ok && e.Op.IsStatement() {
		return clip(text, mostStatement) // what counts is often at its end, in WHERE
	}
	return clip(text, 60)
}

// mostStatement is how many letters of a SQL statement stand in a sentence.
const mostStatement = 240

// pendingText is what an actor asks for next, or that it takes the reply to it.
func pendingText(lang lessons.Lang, a engine.ActorState, say spanText) string {
	if a.Answered {
		return actorTakes.in(lang, requestText(lang, a.Next, say))
	}
	return requestText(lang, a.Next, say)
}

// plainText says that a request runs no script: only a Redis has any, and commands.
func plainText(lang lessons.Lang, e engine.Exec) string {
	if ofZnodes(e.Op) || e.Op.IsStatement() {
		return scriptRequest.in(lang)
	}
	return scriptCommand.in(lang)
}
