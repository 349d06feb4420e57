package client

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/node/sample"
)

// ask lets what a reply is decide how a program's values came about.
const ask = `a = redis.call("GET", "k")`

// steps are lines of programs that lead to one state in many ways, or to states that look like one: by what they are about.
var steps = [][]string{
	{ // values
		`b = redis.call("GET", "k")`, `c = redis.call("GET", "k")`, `redis.call("GET", "k")`, `redis.call("GET", "k")`, `if a then b = c end`, `if a == "1" then b = 1 end`,
		`if b then c = 0 else c = -0 end`, `if a then b = "1" else b = 1 end`, `b = 0 / 0`, `c = 0`, `c = -0`, `if a then c = 0 * -1 end`, `c = 2 ^ 53`, `G = a`, `if a then G = t end`, `b = G`,
		`n = int64(7)`, `m = n`, `m = int64(7)`, `n = n + 1`, `t[n] = 1`, `b = t[m]`, `if a then m = n else m = int64(7) end`, `c = n == m`,
		`s = tostring(t)`, `if a then s = tostring({}) end`, `if a then math.random() end`, `b = math.random(3)`, `if a then enter("s") leave("s") end`,
	},
	{ // tables: which of them, what is in them, and how they were made
		`if a then t = u end`, `if a == "1" then t = {} else t = u end`, `if a then t, u = u, t end`, `t = {u, u}`, `t = {u}`, `if a then t[1] = u else t[1] = {} end`, `c = rawequal(t, u)`,
		`if a then u = {} else u = {nil, nil, nil} end`, `if a then u = {nil, 2} else u = {} u[2] = 2 end`, `if a then t = {x = nil, y = nil, z = nil} end`, `u = {nil, nil}`,
		`if a then t = {1, 2, 3} t[2] = nil else t = {[1] = 1} t[3] = 3 end`, `if a then t = {1, 2, nil, 4} else t = {1, 2} t[4] = 4 end`, `u = {a, b, 1}`, `u = {[1] = a}`, `u = {x = 1, y = 2}`,
		`t[1] = a`, `t[2] = b`, `t[3] = 1`, `t[2] = nil`, `t[#t + 1] = b`, `table.insert(t, 1)`, `table.remove(t)`, `t.x = a`, `u.x = 1`, `c = #t`, `b, c = unpack({a, b}, 1, 2)`,
		`setmetatable(t, {__index = u})`, `if a then setmetatable(t, {__index = function() return b end}) end`, `if a then setmetatable(t, nil) end`,
		`setmetatable(u, {__len = 3, __tostring = function() return "u" end})`,
	},
	{ // functions, and what they share
		`f = function() return a end`, `f = function() a = b return 1 end`, `if a then f = function() return 1 end else f = function() return 2 end end`,
		`f = a and function() return "x" end or function() return "y" end`, `do local g = f f = function() return g end end`, `if a then g = f end`, `b = f and f()`, `c = g and g()`, `b = f == g`,
		`do local z = a f = function() z = z or 1 return z end g = function() z = 2 return z end end`, `if a then g = function() return u end else g = function() return t end end`,
		`if a then f = string.upper else f = string.lower end`, `string.gsub("ab", "%a", function(x) s = x end)`,
	},
	{ // where a program waits: in loops, with arguments, in what may fail
		`pcall(function() a = redis.call("GET", "k") error(a) end)`, `do local ok, e = pcall(error, {a}) b = e end`, `do local ok, e = pcall(function() redis.call("GET", "k") return t.x.y end) b = e end`,
		`do local ok, e = pcall(function() local x x = a + 1 return x end) c = e end`, `for i = 1, 2 do if i == 2 then redis.call("GET", "k") end t[i] = i end`,
		`for k, v in ipairs(t) do b = v redis.call("GET", "k") end`, `for i = 3, 1, -1 do if redis.call("GET", "k") then break end c = i end`, `while not redis.call("GET", "k") do end`,
		`b = (function(...) redis.call("GET", "k") return select("#", ...) end)(a, b, c)`, `c = select(-1, (function(...) redis.call("GET", "k") return ... end)(a, b, c))`,
	},
	{ // walks, for which the order of keys counts
		`for k, v in pairs(t) do s = s .. tostring(k) end`, `do local k = next(t) b = k end`, `for k, v in pairs(u) do if redis.call("GET", "k") then u[k] = nil end end`,
		`for k in pairs(t) do redis.call("GET", "k") s = s .. tostring(k) end`,
	},
}

// last are lines that bring out how values came about, and shown what tells values apart.
var (
	last = []string{
		`t[1] = 1 t[3] = 3 t[4] = 4`, `u[1], u[3] = 1, 3`, `t[#t + 1] = 1 t[#t + 2] = 2`, `t[2] = nil`, `t[n] = "n"`, `if f then b = f() end`, `if g then c = g() end`, `t.x = 5`, `u.x = 7`, `table.insert(t, 9)`,
		`for i = 1, 5 do t[i] = i end t[4] = nil t[2] = nil`, `u[1], u[2], u[3], u[5] = 1, 2, 3, 5 u[2] = nil`,
	}
	shown = []string{
		`tostring(a)`, `type(b) .. tostring(b)`, `tostring(c)`, `tostring(c == c) .. tostring(1 / (tonumber(c) or 1))`, `#t .. " " .. #u`, `tostring(rawequal(t, u))`, `tostring(t.x) .. tostring(u.x)`,
		`tostring(f and f())`, `tostring(g and g())`, `tostring(f == g)`, `tostring(t[m])`, `tostring(n == m)`, `s`, `tostring(u)`, `tostring({})`, `tostring(math.random(100))`, `tostring(t[2]) .. #t`,
		`tostring(t[1] == t[2]) .. tostring(t[1] == u)`, `tostring(G)`,
	}
)

// drawProgram writes a program: some steps, a request before which all may have been forgotten, and what shows what was not.
func drawProgram(r *rand.Rand) string {
	walks := r.IntN(4) / 3 // a program that walks keeps more, so most have no walk in them
	all, about := slices.Concat(steps[:4+walks]...), steps[r.IntN(4+walks)]
	lines := []string{`local a, b, c, t, u, f, g, n, m, s = nil, nil, nil, {}, {}, nil, nil, int64(7), nil, ""`, ask}
	for range 1 + r.IntN(4) {
		from := about // most lines are about one thing, so that they meet
		if r.IntN(3) == 0 {
			from = all
		}
		lines = append(lines, from[r.IntN(len(from))])
		if r.IntN(3) == 0 {
			lines = append(lines, ask)
		}
	}
	lines = append(lines, `a = nil redis.call("PING")`)
	for range r.IntN(4) {
		lines = append(lines, last[r.IntN(len(last))])
	}
	for range 1 + r.IntN(4) {
		lines = append(lines, "say("+shown[r.IntN(len(shown))]+")")
	}
	return strings.Join(lines, []string{"\n", " "}[r.IntN(2)]) // on one line, lines tell no functions apart
}

// replies of one GET or another, by number.
var replies = []reply.Reply{{}, reply.OfBulk("1"), reply.OfBulk("2")}

// play answers a program until it or the answers end: digests has its digest for each request that it waits at, does
// what it does before the first, and then each request with what it does when that is answered.
func play(p *Program, answers []int) (digests [][16]byte, does []string) {
	a := p.Start("A", "app-1").(engine.Digester)
	out := engine.Outcome{}
	does = []string{""}
	for {
		req := a.Next(out)
		out = engine.Outcome{}
		switch q := req.(type) {
		case engine.Done:
			return digests, append(does, fmt.Sprint("ends ", q.Failure))
		case engine.Exec:
			digests, does = append(digests, a.Digest()), append(does, fmt.Sprint(q.Op.Args))
			if len(digests) > len(answers) {
				return digests, does
			}
			out.Reply = replies[answers[len(digests)-1]]
		case engine.Say:
			does[len(does)-1] += " says " + q.Text
		default:
			does[len(does)-1] += fmt.Sprintf(" %T", q)
		}
	}
}

// Programs that were answered differently and have one digest do the same when they are answered alike: a search takes
// them for one. Cases that somebody thinks of are in TestDigest; these nobody has thought of.
func TestProgramsWithOneDigestGoAlike(t *testing.T) {
	met := 0
	for _, seed := range sample.Programs.Seeds(t) {
		r := rand.New(rand.NewPCG(seed, 7))
		source := drawProgram(r)
		p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "A", Source: source})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, source)
		}
		draw := func(n int) (answers []int) {
			for range n {
				answers = append(answers, r.IntN(len(replies)))
			}
			return answers
		}
		first, shortest := map[[16]byte][]int{}, ""
		for range 6 {
			answers := draw(5)
			digests, _ := play(p, answers)
			for k, digest := range digests {
				other, known := first[digest]
				if !known {
					first[digest] = answers[:k]
				}
				if !known || slices.Equal(other, answers[:k]) {
					continue
				}
				met++
				for range 3 {
					further := draw(12)
					_, one := play(p, slices.Concat(other, further))
					_, two := play(p, slices.Concat(answers[:k], further))
					if one, two := one[len(other)+1:], two[k+1:]; !slices.Equal(one, two) {
						how := fmt.Sprintf("after %v and %v, then %v:\n%q\n%q", other, answers[:k], further, one, two)
						if shortest == "" || len(how) < len(shortest) {
							shortest = how
						}
					}
				}
			}
		}
		if shortest != "" {
			t.Errorf("seed %d: two histories of answers have one digest, and then differ:\n%s\n%s", seed, source, shortest)
		}
	}
	t.Logf("%d pairs with one digest", met)
	if met == 0 {
		t.Error("no two histories have one digest, so nothing was compared")
	}
}
