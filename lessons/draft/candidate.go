package draft

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"lockstep/luaexec/syntax"
)

// candidate is a script with its part in a lock and the roles of its arguments, as read from its text or tried.
type candidate struct {
	Script
	*reading
	part   part
	roles  []role
	names  []string     // of its KEYS, unless they are those of windows
	values map[int]role // of KEYS that are no keys, by their place
	windows
}

func candidates(scripts []Script) []*candidate {
	var all []*candidate
	for _, s := range scripts {
		given := read(s.Source).args
		s.Source = withoutDraws(s.Source, given)
		r := read(last.ReplaceAllLiteralString(s.Source, fmt.Sprintf("ARGV[%d]", given+1)))
		c := &candidate{Script: s, reading: r, part: r.part(s.Name), roles: r.roles(), values: r.valuesAmongKeys()}
		for n := given; n < r.args && !last.MatchString(s.Source); n++ {
			c.roles[n] = drawn
			if strings.Contains(s.Source, fmt.Sprintf(ownID, n+1)) {
				c.roles[n] = now
			}
		}
		for p, name := range r.named { // a text that the program puts in is told from others by what it is called
			if p.arg && c.roles[p.n-1] == unknown && slices.Contains(s.Filled, name) {
				c.roles[p.n-1], r.fixed[p.n] = fixed, name
			}
		}
		arg, texts := r.does()
		if len(texts) == 0 {
			all = append(all, c)
		}
		for _, text := range texts {
			does, reads := *c, *r
			if does.Name = plainName(text); !namedBack.MatchString(strings.Join(texts, " ")) {
				does.Name = c.Name + "-" + does.Name
			}
			does.reading, does.roles, reads.fixed = &reads, slices.Clone(c.roles), maps.Clone(r.fixed)
			does.roles[arg-1], reads.fixed[arg], does.part = fixed, text, r.part(does.Name)
			all = append(all, &does)
		}
	}
	return all
}

// does are the texts by which one of ARGV tells a script what to do, such as lock and unlock, or read and write.
func (r *reading) does() (arg int, texts []string) {
	all := map[int][]string{}
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || e.Op != syntax.TokEqual || e.Args[1].Bare().Kind != syntax.StringValue {
			continue
		}
		for _, u := range r.uses(e.Args[0]) {
			if text := e.Args[1].Bare().Text; u.arg && u.alone && text != "" && !slices.Contains(all[u.n], text) {
				all[u.n] = append(all[u.n], text)
			}
		}
	}
	for _, arg := range slices.Sorted(maps.Keys(all)) {
		if joined := strings.Join(all[arg], "-"); len(all[arg]) > 1 && (namedBack.MatchString(joined) || alone.MatchString(joined)) {
			return arg, all[arg]
		}
	}
	return 0, nil
}

var namedBack = regexp.MustCompile(`unlock|releas`)

// with is the candidate with another role of one of ARGV.
func (c *candidate) with(i int, is role) *candidate {
	other := *c
	other.roles = slices.Clone(c.roles)
	other.roles[i] = is
	return &other
}

// draws are what no two servers answer alike: calls of math.random, and IDs by their clocks.
var (
	draws  = regexp.MustCompile(`\bmath\.random\s*\([^()]*\)`)
	ids    = regexp.MustCompile(`(?i)['"]xadd['"]\s*,[^()]*?['"]\*['"]`) // by the server's clock
	last   = regexp.MustCompile(`\bARGV\s*\[\s*#\s*ARGV\s*\]`)
	seeded = regexp.MustCompile(`\bmath\.randomseed\b|#\s*ARGV|\bunpack\s*\(\s*ARGV`) // draws alike, or takes what is added for its own
)

// ownID is the ID of XADD by the time of the client.
const ownID = "ARGV[%d] .. '-*'"

// withoutDraws is a script that is given the numbers that it draws, and IDs of the server's clock, behind its other ARGV.
func withoutDraws(source string, given int) string {
	if seeded.MatchString(source) {
		return source
	}
	source = draws.ReplaceAllStringFunc(source, func(string) string {
		given++
		return fmt.Sprintf("tonumber(ARGV[%d])", given)
	})
	return ids.ReplaceAllStringFunc(source, func(call string) string {
		given++
		return call[:len(call)-len("'*'")] + fmt.Sprintf(ownID, given)
	})
}

// The key of the lock, whose name is the section's, too.
const lockKey = "lock"

// nameKeys names the keys of the scripts that a lesson plays. Keys of two scripts get one name if the scripts call them the
// same or else if they are of one type. The lock is the key that the first script makes only if nobody has it, or else the
// first key.
func nameKeys(played ...*candidate) {
	played = slices.DeleteFunc(slices.Clone(played), func(c *candidate) bool { return c == nil })
	var kinds, called []string // of the keys that are known
	var which [][]int          // of these, for each of a script's keys, from 1
	for _, c := range played {
		is := make([]int, c.keys)
		used := map[int]bool{}
		find := func(n int, same func(j int) bool) {
			for j := range kinds {
				if is[n-1] == 0 && !used[j] && same(j) {
					is[n-1], used[j], kinds[j] = j+1, true, cmp.Or(kinds[j], c.kindOf(n))
				}
			}
		}
		for n := 1; n <= c.keys; n++ {
			name := c.named[place{false, n}]
			find(n, func(j int) bool { return name != "" && called[j] == name })
		}
		for n := 1; n <= c.keys; n++ {
			kind := c.kindOf(n)
			find(n, func(j int) bool { return kinds[j] == kind || (kind == "" || kinds[j] == "") && j == n-1 })
			if is[n-1] == 0 {
				kinds, called = append(kinds, kind), append(called, c.named[place{false, n}])
				is[n-1] = len(kinds)
				used[len(kinds)-1] = true
			}
		}
		which = append(which, is)
	}
	lock := 0
	if len(played) > 0 && played[0].guard() > 0 {
		lock = which[0][played[0].guard()-1] - 1
	}
	for p, c := range played {
		c.names = nil
		for _, i := range which[p] {
			c.names = append(c.names, nameOfKey(i-1, lock, kinds))
		}
	}
}

func nameOfKey(i, lock int, kinds []string) string {
	if i == lock {
		return lockKey
	}
	name := map[string]string{"channel": "channel", "list": "queue", "zset": "order", "set": "members", "hash": "fields"}[kinds[i]]
	for j, k := range kinds[:i] {
		if j != lock && k == kinds[i] {
			name = ""
		}
	}
	if name == "" {
		return fmt.Sprintf("%s:%d", lockKey, i+1)
	}
	return lockKey + ":" + name
}

// guard is the key that the script makes only if it is not there, if there is one such key; else 0.
func (r *reading) guard() int {
	found := 0
	for _, c := range r.calls {
		if len(c.args) == 0 || c.name != "hsetnx" && !r.setsNew(c) {
			continue
		}
		if uses := r.uses(c.args[0]); len(uses) == 1 && !uses[0].arg && (found == 0 || found == uses[0].n) {
			found = uses[0].n
		} else {
			return 0
		}
	}
	return found
}

// setsNew tells whether a command makes a text only if there is none.
func (r *reading) setsNew(c call) bool {
	return c.name == "setnx" || c.name == "set" && slices.ContainsFunc(c.args, func(e *syntax.Expr) bool { return strings.EqualFold(r.constant(e), "nx") })
}

// kindOf is the type of a key by the commands that it is an argument of, or a channel; empty if they do not tell, or name
// several, as a script does that asks TYPE first.
func (r *reading) kindOf(n int) string {
	kind := ""
	for _, c := range r.calls {
		if len(c.args) == 0 {
			continue
		}
		for _, u := range r.uses(c.args[0]) {
			is := c.ofKind()
			switch {
			case u.arg || u.n != n || !u.alone || is == "":
			case kind != "" && kind != is:
				return ""
			default:
				kind = is
			}
		}
	}
	return kind
}

// ofKind is the type of the key that a command takes first, or a channel; empty: any.
func (c call) ofKind() string {
	switch {
	case c.name == "publish" || c.name == "spublish":
		return "channel"
	case c.name == "get" || c.name == "setnx" || strings.HasPrefix(c.name, "set") || c.name == "incr" || c.name == "decr" || c.name == "incrby":
		return "string"
	case c.name[0] == 'h':
		return "hash"
	case c.name[0] == 'z':
		return "zset"
	case c.name[0] == 'l' || c.name[0] == 'r' && c.name != "rename":
		return "list"
	case c.name[0] == 's':
		return "set"
	}
	return ""
}

// apart tells whether two scripts have keys, and none in common.
func (c *candidate) apart(o *candidate) bool {
	return len(c.names) > 0 && len(o.names) > 0 && !slices.ContainsFunc(o.names, func(n string) bool { return slices.Contains(c.names, n) })
}

// namesKey tells whether the name of a key is made of one of ARGV.
func (r *reading) namesKey(arg int) bool {
	return slices.ContainsFunc(r.calls, func(c call) bool {
		return len(c.args) > 0 && slices.ContainsFunc(r.uses(c.args[0]), func(u use) bool { return u.arg && u.n == arg })
	})
}

// valuesAmongKeys are those of KEYS that the script only writes as values, compares or takes for instants and spans, with
// their roles.
func (r *reading) valuesAmongKeys() map[int]role {
	isKey, values := map[int]bool{}, map[int]role{}
	for _, c := range r.calls {
		several := c.name == "del" || c.name == "unlink" || c.name == "exists" || c.name == "mget" || c.name == "eval"
		for i, a := range c.args {
			for _, u := range r.uses(a) {
				if u.arg {
					continue
				}
				is := unknown
				if i > 0 && !several {
					is = r.inCall(c, i, u)
				}
				if is == unknown {
					isKey[u.n] = true
				} else if values[u.n] == unknown {
					values[u.n] = is
				}
			}
		}
	}
	for _, e := range r.tree.Exprs {
		if e.Kind != syntax.Operation || !e.Op.IsComparison() || len(e.Args) != 2 {
			continue
		}
		for i, a := range e.Args {
			for _, u := range r.uses(a) {
				if is := r.compared(e.Op, e.Args[1-i], u); !u.arg && u.alone && values[u.n] == unknown && is != unknown {
					values[u.n] = is
				}
			}
		}
	}
	maps.DeleteFunc(values, func(n int, _ role) bool { return isKey[n] })
	return values
}

// keysLua is the table of keys that a program passes.
func (c *candidate) keysLua() string {
	quoted := make([]string, len(c.names))
	for i, n := range c.names {
		quoted[i] = fmt.Sprintf("%q", n)
		switch i + 1 {
		case c.current:
			quoted[i] = fmt.Sprintf("%q .. window", limitKey+":")
		case c.before:
			quoted[i] = fmt.Sprintf("%q .. window - 1", limitKey+":")
		}
		if is, ok := c.values[i+1]; ok {
			quoted[i] = valueLua(is)
		}
	}
	return "{" + strings.Join(quoted, ", ") + "}"
}

// valueLua is what a program passes in place of a key: an instant is a text there.
func valueLua(is role) string {
	switch is {
	case now:
		return `string.format("%.0f", now())`
	case deadline:
		return fmt.Sprintf(`string.format("%%.0f", now() + %d)`, leaseMS)
	default:
	}
	if lua := rows[is].lua; lua == own || strings.HasPrefix(lua, `"`) {
		return lua
	}
	return "tostring(" + rows[is].lua + ")"
}

// callLua is the call of the script in a program, by redis.eval itself or through a function such as pcall; by is empty
// for the former.
func (c *candidate) callLua(by string) string {
	values := make([]string, len(c.roles))
	for i, r := range c.roles {
		if values[i] = rows[r].lua; r == fixed {
			values[i] = fmt.Sprintf("%q", c.fixed[i+1])
		}
	}
	function := "redis.eval("
	if by != "" {
		function = by + "(redis.eval, "
	}
	return fmt.Sprintf("%s%q, %s, {%s})", function, c.Name, c.keysLua(), strings.Join(values, ", "))
}
