package draft

import (
	"cmp"
	"fmt"
	"strings"
)

// candidate is a script with what it says of itself.
type candidate struct {
	Script
	*reading
	part  part
	roles []role
	names []string // of its KEYS
}

func candidates(scripts []Script) []*candidate {
	all := make([]*candidate, len(scripts))
	for i, s := range scripts {
		r := read(s.Source)
		all[i] = &candidate{Script: s, reading: r, part: r.part(s.Name), roles: r.roles()}
	}
	return all
}

// The key of the lock, whose name is the section's, too.
const lockKey = "lock"

// nameKeys gives the keys of the scripts that a lesson plays their names: those of one kind have one, in all of them.
func nameKeys(played ...*candidate) {
	var known []string // kinds of the keys that the first has
	for _, c := range played {
		if c == nil {
			continue
		}
		c.names = nil
		used := map[int]bool{}
		for n := 1; n <= c.keys; n++ {
			kind := c.kindOf(n)
			i := -1
			for j, k := range known {
				if !used[j] && (k == kind || (kind == "" || k == "") && j == n-1) {
					i, known[j] = j, cmp.Or(k, kind)
					break
				}
			}
			if i < 0 {
				i = len(known)
				known = append(known, kind)
			}
			used[i] = true
			c.names = append(c.names, keyName(i, known))
		}
	}
}

func keyName(i int, kinds []string) string {
	if i == 0 {
		return lockKey
	}
	name := map[string]string{"channel": "channel", "list": "queue", "zset": "order", "set": "members", "hash": "fields"}[kinds[i]]
	for _, k := range kinds[:i] {
		if name != "" && k == kinds[i] {
			name = ""
		}
	}
	if name == "" {
		return fmt.Sprintf("%s:%d", lockKey, i+1)
	}
	return lockKey + ":" + name
}

// kindOf is the type of a key by the commands that it is an argument of, or a channel; empty if they do not tell.
func (r *reading) kindOf(n int) string {
	for _, c := range r.calls {
		if len(c.args) == 0 {
			continue
		}
		for _, u := range r.uses(c.args[0]) {
			if u.arg || u.n != n || !u.alone {
				continue
			}
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
		}
	}
	return ""
}

// keysLua is the table of keys that a program passes.
func (c *candidate) keysLua() string {
	quoted := make([]string, len(c.names))
	for i, n := range c.names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return "{" + strings.Join(quoted, ", ") + "}"
}

// callLua is the call of the script in a program, or what a function such as pcall is to call.
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
