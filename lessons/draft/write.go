package draft

import (
	"fmt"
	"strings"

	"lockstep/engine"
)

func (d *drafted) yaml() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	title := strings.ToUpper(d.name[:1]) + strings.ReplaceAll(d.name[1:], "-", " ")
	line("# yaml-language-server: $schema=../lesson.schema.json")
	line("")
	line("title: {en: %q, zh: %q}", title, title)
	en, zh := "Two clients want one lock, by %s.", "两个客户端用 %s 争抢同一把锁。"
	switch {
	case d.span > 0:
		en, zh = "Two clients want to pass the limiter of %s.", "两个客户端都要通过 %s 里的限流器。"
	case d.once():
		en, zh = "Two clients want what one of them gets, by %s.", "两个客户端都要，%s 只给其中一个。"
	case d.jobs() != "":
		en, zh = "Two clients want the only job in the queue of %s.", "%s 的队列里只有一个任务，两个客户端都要领。"
	}
	line("summary:")
	line("  en: %q", fmt.Sprintf(en, d.source()))
	line("  zh: %q", fmt.Sprintf(zh, d.source()))
	line("chapter: more")
	line("level: advanced")
	if d.steps > 0 {
		line("resolution: %s", engine.FormatSpan(d.steps))
	}
	line("")
	if d.commands == nil {
		line("scripts:")
	}
	for _, c := range d.played() {
		line("  %s:", c.Name)
		line("    file: %s.lua", c.Name)
		meanings(line, "keys", c.keys, func(n int) (string, string) { return c.keyWords(n) })
		meanings(line, "args", len(c.roles), func(n int) (string, string) { return d.argWords(c.roles[n]) })
	}
	line("actors:")
	for i, actor := range []string{"A", "B"} {
		line("  %s:", actor)
		line("    process: app-%d", i+1)
		line("    program: |")
		for text := range strings.SplitSeq(d.program(), "\n") {
			line("      %s", text)
		}
	}
	if len(d.start) > 0 {
		line("%s", d.start.yaml())
	}
	for _, text := range d.rules() {
		line("%s", text)
	}
	if d.once() || d.span > 0 {
		line("faults: [crash app-1]")
	} else {
		line("faults: [crash app-1, pause app-1]")
	}
	line("")
	d.story(line)
	return b.String()
}

func meanings(line func(string, ...any), key string, n int, words func(int) (en, zh string)) {
	if n == 0 {
		return
	}
	all := make([]string, n)
	for i := range all {
		en, zh := words(i)
		all[i] = fmt.Sprintf("{en: %q, zh: %q}", en, zh)
	}
	line("    %s: [%s]", key, strings.Join(all, ", "))
}

// argWords are what the page says of one of ARGV: a limiter has no lease, and nobody holds it.
func (d *drafted) argWords(is role) (en, zh string) {
	switch {
	case d.span > 0 && is == limit:
		return "how many may pass", "最多放行几次"
	case d.span > 0 && is == lease:
		return "span, ms", "时间跨度，毫秒"
	case d.span > 0 && is == leaseS:
		return "span, s", "时间跨度，秒"
	}
	return rows[is].en, rows[is].zh
}

// keyWords are what the page says of a key.
func (c *candidate) keyWords(i int) (en, zh string) {
	if en, zh := c.words(i + 1); en != "" {
		return en, zh
	}
	if is, ok := c.values[i+1]; ok {
		return rows[is].en, rows[is].zh
	}
	switch c.kindOf(i + 1) {
	case "channel":
		return "channel", "频道"
	case "list":
		return "queue", "队列"
	}
	switch own := c.named[place{false, i + 1}]; {
	case c.names[i] == limitKey:
		return "limit", "限流"
	case c.names[i] == lockKey:
		return "lock", "锁"
	case c.names[i] == claimKeys:
		return "jobs", "任务"
	case c.names[i] == stockKeys:
		return "stock", "库存"
	case c.names[i] == keptKeys:
		return "kept", "已给出"
	case own != "":
		return own, own
	}
	_, name, _ := strings.Cut(c.names[i], ":")
	return name, name
}

// rules are the lines of those that fit.
func (d *drafted) rules() []string {
	switch {
	case d.once():
		return onlyOne()
	case d.span > 0:
		return d.onePerSpan()
	case d.commands == nil && !d.excludes() && !d.refusesNobody(), d.fills != "":
		return nil
	case len(d.start) > 0, d.noTTL:
		return []string{"invariants: [mutual-exclusion]"}
	}
	return []string{"invariants: [mutual-exclusion, no-lock-without-ttl]"}
}

func (d *drafted) story(line func(string, ...any)) {
	takes := "`SET`"
	if d.take != nil {
		takes = "`" + d.take.Name + "`"
	}
	beat := func(en, zh, move string) {
		line("  - say: {en: %q, zh: %q}", en, zh)
		line("    %s", move)
	}
	asks := func(client string) string {
		if d.readsClock() {
			return "do: [run " + client + ", run " + client + "]"
		}
		return "run: " + client
	}
	line("story:")
	if d.commands != nil {
		d.commands.story(beat)
		return
	}
	if d.span > 0 {
		beat("`A` asks first: "+takes+".", "`A` 先来："+takes+"。", asks("A"))
		beat("It passes and makes its call, which leaves a key for "+engine.FormatSpan(d.span)+".", "它被放行，发起调用；这次调用留下一个存活 "+engine.FormatSpan(d.span)+" 的 key。", "run: A")
		beat("`B` asks as well and is refused.", "`B` 也来，被拒绝了。", asks("B"))
		return
	}
	beat("`A` asks first: "+takes+".", "`A` 先来："+takes+"。", asks("A"))
	if d.once() {
		beat("It gets it and writes that down.", "它拿到了，并记下来。", "run: A")
		if d.both {
			beat("`B` wants it, too.", "`B` 也要。", asks("B"))
			beat("It gets one as well, though only one was there.", "明明只有一个，它也拿到了。", "run: B")
			return
		}
		beat("`B` wants it, too, and is refused.", "`B` 也要，被拒绝了。", asks("B"))
		return
	}
	switch {
	case d.jobs() != "":
		beat("`B` wants the job, too, and there is none left.", "`B` 也来领，已经没有任务了。", asks("B"))
	case d.excludes():
		beat("`B` wants the lock, too, and is refused.", "`B` 也要这把锁，被拒绝了。", asks("B"))
	default:
		beat("`B` asks as well.", "`B` 也来请求。", asks("B"))
	}
	beat("`A` works for three seconds.", "`A` 干了 3 秒的活。", "tick: 3s")
	if d.extend != nil {
		beat("Then `A` asks for more time: `"+d.extend.Name+"`.", "然后 `A` 续期：`"+d.extend.Name+"`。", "run: A")
		beat("It works for three seconds more.", "它又干了 3 秒。", "tick: 3s")
	}
	if d.give != nil {
		beat("`A` gives the lock back: `"+d.give.Name+"`.", "`A` 释放锁：`"+d.give.Name+"`。", "run: A")
	}
}
