package draft

import (
	"fmt"
	"regexp"
	"strconv"

	"lockstep/engine/reply"
)

// answers are the replies to two clients, the second of which wants the lock while the first has it.
type answers struct {
	first, second reply.Reply
	later         reply.Reply // to the second once more, after the first has given the lock back
	released      bool        // a script gives it back; else there is no later
	recovered     bool        // whoever takes it after its end is told another yes
}

// differs tells whether a reply says something else than the refusal, which says the same each time: it is no number above 0,
// as what is left of a lease is.
func (a answers) differs(r reply.Reply) bool {
	_, refusal := a.toldBy()
	if i := a.telling(); i >= 0 && i < len(r.Elems) {
		r = r.Elems[i]
	}
	n, isNumber := numberOf(refusal)
	return refusal.Kind == r.Kind && !r.Equal(refusal) && !(isNumber && n > 0)
}

// refuses tells whether a reply is a no: the one that the second client got, or, where yes is steady, one that is not yes,
// such as how long the lock lasts.
func (a answers) refuses(r reply.Reply) bool {
	yes := a.first
	steady := !a.recovered && yes.Equal(a.later) && (yes.Kind == reply.Nil || yes.Kind == reply.Int && !isInstant(yes))
	return r.Equal(a.second) || steady && !r.IsError() && !r.Equal(yes)
}

// excludes tells whether the second client was refused: the replies differ, and by more than a count of what is left or when
// each may go on.
func (a answers) excludes() bool {
	first, second := a.toldBy()
	one, isOne := numberOf(first)
	two, isTwo := numberOf(second)
	return !a.first.Equal(a.second) && !a.numbered() && !(isOne && isTwo && two > 0 && two == one-1) && !instants(first, second)
}

// numbered tells whether both clients are told the same text, and each a number of its own, such as a fencing token.
func (a answers) numbered() bool {
	f, s := a.first.Elems, a.second.Elems
	if len(f) == 0 || len(f) != len(s) || !f[0].Equal(s[0]) || !letter.MatchString(f[0].Str) {
		return false
	}
	for i := range f {
		one, isOne := numberOf(f[i])
		two, isTwo := numberOf(s[i])
		if isOne && isTwo && two < one || digits.ReplaceAllString(f[i].Str, "") != digits.ReplaceAllString(s[i].Str, "") {
			return false
		}
	}
	return true
}

var (
	letter = regexp.MustCompile(`^[A-Za-z]`)
	digits = regexp.MustCompile(`\d+`)
)

// toldBy are the parts of the two replies that say yes or no.
func (a answers) toldBy() (first, second reply.Reply) {
	if i := a.telling(); i >= 0 {
		return a.first.Elems[i], a.second.Elems[i]
	}
	return a.first, a.second
}

// frees tells whether the lock could be taken after it had been given back.
func (a answers) frees() bool { return a.released && !a.later.Equal(a.second) }

// condition tells in a program whether the reply means that the lock was taken.
func (a answers) condition() string {
	if a.second.IsError() {
		return "took"
	}
	if a.first.Kind == reply.Array && a.second.Kind == reply.Array {
		if i := a.telling(); i >= 0 {
			f, s := a.first.Elems[i], a.second.Elems[i]
			return told(fmt.Sprintf("reply[%d]", i+1), f, s, !a.recovered && (!a.released || i < len(a.later.Elems) && f.Equal(a.later.Elems[i])))
		}
		return fmt.Sprintf("#reply == %d", len(a.first.Elems))
	}
	return told("reply", a.first, a.second, !a.recovered && (!a.released || a.first.Equal(a.later)))
}

// telling is the index of the element by which lists of replies say yes or no: the first that is nothing (nil or 0) in one
// of them alone, else the first that differs; -1: there is none.
func (a answers) telling() int {
	nothing := func(r reply.Reply) bool { return r.Kind == reply.Nil || r.Kind == reply.Int && r.Int == 0 }
	differs := -1
	for i := range min(len(a.first.Elems), len(a.second.Elems)) {
		f, s := a.first.Elems[i], a.second.Elems[i]
		one, isOne := numberOf(f)
		two, isTwo := numberOf(s)
		switch {
		case f.Equal(s) || isOne && isTwo && one == two:
		case nothing(f) != nothing(s):
			return i
		case differs < 0:
			differs = i
		}
	}
	return differs
}

// told is a condition in Lua on what, an expression for a reply: true of yes, and false of no. If yes is steady, the same
// each time, nothing else is a yes; else everything but no is.
func told(what string, yes, no reply.Reply, steady bool) string {
	switch {
	case counts(yes, no) && yes.Kind == reply.Int:
		return what + " <= " + literalOf(yes)
	case counts(yes, no):
		return "tonumber(" + what + ") <= " + yes.Str
	case yes.Kind == reply.Nil:
		return what + " == nil"
	case namesOwner(yes) && no.Str != "":
		return fmt.Sprintf("%s:find(%s, 1, true) ~= nil", what, ownIn(yes.Str))
	case no.Kind == reply.Nil:
		return what + " ~= nil"
	case steady && yes.Kind != reply.Array && !isInstant(yes):
		return what + " == " + literalOf(yes)
	case no.Kind == reply.Array:
		return "type(" + what + `) ~= "table"`
	}
	return what + " ~= " + literalOf(no)
}

// namesOwner tells whether the client's name stands in a text, among other things.
func namesOwner(r reply.Reply) bool { return r.Str != own && word(own).MatchString(r.Str) }

// ownIn is the client's name in a program, with the signs that stand beside it in a text.
func ownIn(text string) string {
	at := word(own).FindStringIndex(text)
	lua := own
	if before := text[max(0, at[0]-1):at[0]]; before != "" {
		lua = strconv.Quote(before) + " .. " + lua
	}
	if after := text[at[1]:min(len(text), at[1]+1)]; after != "" {
		lua += " .. " + strconv.Quote(after)
	}
	return lua
}

func literalOf(r reply.Reply) string {
	switch {
	case r.Str == own:
		return own
	case r.Kind == reply.Int:
		return strconv.FormatInt(r.Int, 10)
	}
	return strconv.Quote(r.Str)
}
