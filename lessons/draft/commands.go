package draft

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Commands are a lock of plain commands in the code of a program: SET NX or SETNX, and DEL.
type Commands struct {
	File     string
	Expires  bool // the key has a TTL from the beginning
	ThenTTL  bool // it gets one by a command of its own
	Gives    bool // there is a DEL
	Compares bool // a GET stands before it
}

var (
	setsIfNew  = regexp.MustCompile(`(?is)\b(?:string)?set\w*\s*\([^;]{0,200}?(?:\bnx\b|notexists|ifabsent)[^;]{0,80}|\[\s*["']SET["'][^\]]{0,200}["']NX["'][^\]]{0,80}\]`)
	setsNX     = regexp.MustCompile(`(?is)\b(?:set_?nx|setIfAbsent)\w*\s*\([^;]{0,160}`)
	hasTTL     = regexp.MustCompile(`(?i)\b(?:ex|px|exat|pxat|expir\w*|ttl\w*|timeout|duration|seconds|milliseconds|timespan)\b|\btime\.(?:second|minute|millisecond)|\bTimeUnit\b`)
	expires    = regexp.MustCompile(`(?i)(?:\.|\b)p?expire(?:at)?\w*\s*\(|["']P?EXPIRE["']`)
	deletes    = regexp.MustCompile(`(?i)(?:\.|->|\b)(?:del|delete|unlink|keydelete\w*)\s*[("]|(?i)\bdel\s+["'@\w]|\[\s*["'](?:DEL|UNLINK)["']`)
	ownExpiry  = regexp.MustCompile(`(?i)\bget_?(?:and_?)?set\w*\s*\(`)
	readsClock = regexp.MustCompile(`(?i)time\(|now|clock|millis|date`)
	getsBefore = regexp.MustCompile(`(?i)(?:\.|->|\b)(?:get|stringget\w*)\s*\(|\[\s*["']GET["']`)
)

// commandsIn are those of a lock in the code of a file without its comments; false: there is none that is understood.
func commandsIn(file, bare string) (Commands, bool) {
	at, ttl := setsIfNew.FindStringIndex(bare), true
	if at == nil {
		at, ttl = setsNX.FindStringIndex(bare), false
	}
	if at == nil {
		return Commands{}, false
	}
	take := upToEnd(bare[at[0]:at[1]])
	if ownExpiry.MatchString(bare) || !ttl && readsClock.MatchString(take) { // the value says when it ends
		return Commands{}, false
	}
	c := Commands{File: file, Expires: ttl && hasTTL.MatchString(take) || !ttl && passesTTL(take)}
	rest := bare[at[0]+len(take):]
	c.ThenTTL = !c.Expires && expires.MatchString(rest)
	for _, give := range deletes.FindAllStringIndex(rest, -1) {
		const function = 300 // bytes before, which are mostly the same function
		c.Gives = true
		c.Compares = c.Compares || getsBefore.MatchString(rest[max(0, give[0]-function):give[0]])
	}
	return c, true
}

// passesTTL tells whether a call such as SetNX has a span behind the key and the value, and perhaps a context before them.
func passesTTL(call string) bool {
	_, args, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(call), ")"), "(")
	depth, last, n := 0, 0, 1
	for i, c := range args {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				n, last = n+1, i+1
			}
		}
	}
	return n > 2 && strings.TrimSpace(args[last:]) != "0"
}

// upToEnd is a call up to the parenthesis that ends it.
func upToEnd(call string) string {
	depth := 0
	for i, c := range call {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return call[:i+1]
			}
		}
	}
	return call
}

// lesson makes a lesson with a name of the commands.
func (c Commands) lesson(ctx context.Context, name string) (Lesson, error) {
	d := &drafted{name: name, commands: &c}
	if !c.Gives && (c.Expires || c.ThenTTL) {
		d.doubt(fact.Of("draft-nothing-gives", c.taking()))
	} else if !c.Gives {
		d.doubt(fact.Of("draft-never-ends", c.taking()))
	}
	if c.deletesAnothers(ctx) {
		d.doubt(fact.Of("draft-deletes-anothers", c.freeing()))
	}
	d.doubt(fact.Of("draft-commands", c.File, strings.Join(c.played(), ", ")))
	return Lesson{Doubts: d.doubts, Played: c.played(), Files: []lessons.File{{Name: "lesson.yaml", Text: d.yaml()}}}, nil
}

// deletesAnothers tells whether a client whose lease ends before its DEL deletes the lock of the next one: tried, because
// no rule about who is inside tells such a release from a right one after a pause.
func (c Commands) deletesAnothers(ctx context.Context) bool {
	if !c.Gives {
		return false
	}
	on := begin(ctx, nil)
	take := func(client string) {
		set := []string{"SETNX", lockKey, client}
		if c.Expires {
			set = []string{"SET", lockKey, client, "NX", "PX", strconv.Itoa(leaseMS)}
		}
		on.exec(ctx, set...)
		if c.ThenTTL {
			on.exec(ctx, "PEXPIRE", lockKey, strconv.Itoa(leaseMS))
		}
	}
	take("A")
	on.advance(ctx, leaseMS*time.Millisecond)
	take("B")
	return on.exec(ctx, "GET", lockKey).Str == "B"
}

// freeing is how the lock is given back.
func (c Commands) freeing() string {
	if c.Compares {
		return "GET, DEL"
	}
	return "DEL"
}

func (c Commands) taking() string {
	if c.Expires {
		return "SET NX PX"
	}
	return "SETNX"
}

func (c Commands) played() []string {
	all := []string{c.taking()}
	if c.ThenTTL {
		all = append(all, "PEXPIRE")
	}
	if c.Compares {
		all = append(all, "GET")
	}
	if c.Gives {
		all = append(all, "DEL")
	}
	return all
}

// program is what each client does.
func (c Commands) program() string {
	take := fmt.Sprintf(`if redis.call("SETNX", %q, me) == 1 then`, lockKey)
	if c.Expires {
		take = fmt.Sprintf(`if redis.call("SET", %q, me, "NX", "PX", %d) == "OK" then`, lockKey, leaseMS)
	}
	lines := []string{take}
	if c.ThenTTL {
		lines = append(lines, fmt.Sprintf(`  redis.call("PEXPIRE", %q, %d)`, lockKey, leaseMS))
	}
	lines = append(lines, fmt.Sprintf("  enter(%q)", lockKey), `  work("3s")`, fmt.Sprintf("  leave(%q)", lockKey))
	free := fmt.Sprintf(`redis.call("DEL", %q)`, lockKey)
	switch {
	case c.Compares:
		lines = append(lines, fmt.Sprintf(`  if redis.call("GET", %q) == me then`, lockKey), "    "+free, "  end")
	case c.Gives:
		lines = append(lines, "  "+free)
	}
	return strings.Join(append(lines, "else", fmt.Sprintf("  refused(%q)", lockKey), "end"), "\n")
}

// story is what it tells: each command is a step.
func (c Commands) story(beat func(en, zh, move string)) {
	beat("`A` asks first: `"+c.taking()+"`.", "`A` 先来：`"+c.taking()+"`。", "run: A")
	if c.ThenTTL {
		beat("Only now does the key get its TTL.", "到这时 key 才有过期时间。", "run: A")
	}
	beat("`B` wants the lock, too, and is refused.", "`B` 也要这把锁，被拒绝了。", "run: B")
	beat("`A` works for three seconds.", "`A` 干了 3 秒的活。", "tick: 3s")
	if c.Compares {
		beat("`A` looks whether the lock is still its own: `GET`.", "`A` 先看锁是不是还归自己：`GET`。", "run: A")
	}
	if c.Gives {
		beat("`A` gives the lock back: `DEL`.", "`A` 释放锁：`DEL`。", "run: A")
	}
}
