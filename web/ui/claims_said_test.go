package ui_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// forms are one sentence in both languages, whose parts have names: A, B and C are actors, processes or servers, S a section,
// K a key, Q a request, R a reply, T a span of time.
type forms map[lessons.Lang]*regexp.Regexp

func inBoth(en, zh string) forms {
	named := func(text string) *regexp.Regexp {
		text = regexp.MustCompile(`(\?P)?<[A-Z]>`).ReplaceAllStringFunc(text, func(part string) string {
			switch {
			case part[0] == '?':
				return part
			case strings.Contains("ABC", part[1:2]):
				return "(?P" + part + `\S+)`
			}
			return "(?P" + part + ".+)"
		})
		return regexp.MustCompile("^" + text + "$")
	}
	return forms{lessons.En: named(en), lessons.Zh: named(zh)}
}

// has tells whether a text has a clause of a form about an actor and something.
func (p *shown) has(text string, f forms, actor, about string) bool {
	return slices.ContainsFunc(strings.Split(text, separators[p.lang].clause), func(clause string) bool {
		m := p.parts(f, clause)
		return m != nil && m["A"] == actor && m["S"] == about
	})
}

// parts are the named parts of a text; nil: it has another form.
func (p *shown) parts(f forms, text string) map[string]string {
	m := f[p.lang].FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	parts := map[string]string{}
	for i, name := range f[p.lang].SubexpNames() {
		if name != "" {
			parts[name] = m[i]
		}
	}
	return parts
}

var separators = map[lessons.Lang]struct{ clause, part, names string }{
	lessons.En: {"; ", ", ", ", "},
	lessons.Zh: {"；", "，", "、"},
}

// claim is a form of a clause, and whether it is true of a step.
type claim struct {
	forms forms
	is    func(p *shown, s *engine.Step, m map[string]string) bool
}

var (
	saysEnter = inBoth(`<A> got into <S>`, `<A> 进入 <S>`)
	saysWants = inBoth(`<A> wants <S>`, `<A> 想进入 <S>`)
)

func notes(kinds ...engine.NoteKind) func(*shown, *engine.Step, map[string]string) bool {
	return func(_ *shown, s *engine.Step, m map[string]string) bool {
		return slices.ContainsFunc(s.Notes, func(n engine.Note) bool {
			return n.Actor == m["A"] && slices.Contains(kinds, n.Kind) && (m["S"] == "" || m["S"] == n.Text)
		})
	}
}

// lost is about a request without a reply.
func lost(why engine.NoReply) func(*shown, *engine.Step, map[string]string) bool {
	return func(p *shown, s *engine.Step, m map[string]string) bool { return s.NoReply == why && p.sent(s, m) }
}

func answered(also func(p *shown, s *engine.Step, m map[string]string) bool) func(*shown, *engine.Step, map[string]string) bool {
	return func(p *shown, s *engine.Step, m map[string]string) bool {
		return p.sent(s, m) && s.NoReply == "" && p.repliedWith(s, m["R"]) && (also == nil || also(p, s, m))
	}
}

func anError(_ *shown, s *engine.Step, _ map[string]string) bool {
	return s.Reply != nil && s.Reply.IsError()
}

// wasRefused tells whether the actor said so, or that it wants the section.
func wasRefused(p *shown, s *engine.Step, m map[string]string) bool {
	return notes(engine.NoteRefused, engine.NoteWant)(p, s, map[string]string{"A": s.Choice.Target, "S": m["S"]})
}

// fault is about what happened to a machine or a link.
func fault(kind engine.ChoiceKind, more ...string) func(*shown, *engine.Step, map[string]string) bool {
	return func(p *shown, s *engine.Step, m map[string]string) bool {
		c := s.Choice
		both := c.Target == m["A"] && (m["B"] == "" || c.Other == m["B"]) || kind == engine.Heal && c.Target == m["B"] && c.Other == m["A"]
		return c.Kind == kind && both && (m["M"] == "" || s.Lost == m["M"]) && (len(more) == 0 || c.Other == more[0])
	}
}

func jumped(forward time.Duration) func(*shown, *engine.Step, map[string]string) bool {
	return func(_ *shown, s *engine.Step, m map[string]string) bool {
		return s.Choice.Kind == engine.Clock && s.Choice.Target == m["A"] && says(strings.Replace(m["T"], "约 ", "≈ ", 1), forward*s.Choice.Span)
	}
}

// headlines say what a step was.
var headlines = []claim{
	{inBoth(`The clock moved on by <T> to t (?:= )?(?P<E>.+)`, `时钟前进 <T>，到 t (?:= )?(?P<E>.+)`), func(_ *shown, s *engine.Step, m map[string]string) bool {
		return s.Choice.Kind == engine.Tick && says(m["T"], s.At-s.From) && says(m["E"], s.At)
	}},
	{inBoth(`The process <A> crashed`, `进程 <A> 崩溃`), fault(engine.Crash)},
	{inBoth(`The server <A> crashed, and lost all that it held`, `节点 <A> 宕机，内存中的数据全部丢失`), fault(engine.Crash)},
	{inBoth(`The server <A> started again, empty`, `节点 <A> 重新启动，没有任何数据`), fault(engine.Restart)},
	{inBoth(`The server <A> started again with its snapshot`, `节点 <A> 重新启动，并载入快照`), fault(engine.Restart, "from snapshot")},
	{inBoth(`The (?:process|server) <A> was paused`, `(?:进程|节点) <A> 被暂停`), fault(engine.Pause)},
	{inBoth(`The (?:process|server) <A> was resumed`, `(?:进程|节点) <A> 恢复运行`), fault(engine.Resume)},
	{inBoth(`The message “(?P<M>.*)” to <A> was lost`, `消息“(?P<M>.*)”在到达 <A> 前丢失`), fault(engine.Drop)},
	{inBoth(`From now on, requests from <A> to <B> are lost`, `从现在起，<A> 发往 <B> 的请求都会丢失`), fault(engine.Cut)},
	{inBoth(`From now on, replies and messages from <A> to <B> are lost`, `从现在起，<A> 发往 <B> 的返回和消息都会丢失`), fault(engine.Cut)},
	{inBoth(`From now on, nothing from <A> reaches <B>`, `从现在起，<A> 发出的内容都到不了 <B>`), fault(engine.Cut)},
	{inBoth(`<A> and <B> reach each other again`, `<A> 与 <B> 恢复连通`), fault(engine.Heal)},
	{inBoth(`The clock of <A> jumped forward by <T>`, `<A> 的时钟向前跳了 <T>`), jumped(1)},
	{inBoth(`The clock of <A> jumped back by <T>`, `<A> 的时钟往回跳了 <T>`), jumped(-1)},
	{inBoth(`The next write reached <A>`, `下一条写入到达 <A>`), fault(engine.Replicate)},
	{inBoth(`All writes on their way reached <A>`, `在途的写入全部到达 <A>`), fault(engine.Replicate)},
	{inBoth(`<A> was promoted`, `<A> 被提升为主节点`), fault(engine.Promote)},

	{inBoth(`<A> got the reply to <Q>: <R>`, `<A> 收到 <Q> 的返回：<R>`), func(p *shown, s *engine.Step, m map[string]string) bool {
		return s.Taken && p.sent(s, m) && p.repliedWith(s, m["R"])
	}},
	{inBoth(`<A> got the reply to <Q>`, `<A> 收到 <Q> 的返回`), func(p *shown, s *engine.Step, m map[string]string) bool { return s.Taken && p.sent(s, m) }},
	{inBoth(`<A> sent <Q>, and the request was lost`, `(?P<A>.+) 发送 <Q>，请求丢失`), lost(engine.RequestLost)},
	{inBoth(`<A> sent <Q>: it was done, and the reply was lost`, `(?P<A>.+) 发送 <Q>，已经执行，但返回丢失`), lost(engine.ReplyLost)},
	{inBoth(`<A> sent <Q>: the server is paused, and does it when it goes on`, `(?P<A>.+) 发送 <Q>，节点已暂停，恢复后才会执行`), lost(engine.NodePaused)},
	{inBoth(`<A> sent <Q>: the request waits at the server`, `(?P<A>.+) 发送 <Q>，请求在服务器端阻塞等待`), lost(engine.InNode)},
	{inBoth(`<A> sent <Q> and got an error: <R>`, `(?P<A>.+) 发送 <Q>，返回错误：<R>`), answered(anError)},
	{inBoth(`<A> asked for <S> and was told to wait <T> \(<Q> returned <R>\)`, `(?P<A>.+) 请求 <S>，答复是再等 <T>（<Q> 返回 <R>）`), answered(func(p *shown, s *engine.Step, m map[string]string) bool {
		return says(m["T"], time.Duration(s.Reply.Int)*time.Millisecond) && wasRefused(p, s, m)
	})},
	{inBoth(`<A> ran <Q> and was refused <S>: <R>`, `(?P<A>.+) 对 <S> 执行 <Q>，被拒绝（返回 <R>）`), answered(wasRefused)},
	{inBoth(`<A> ran <Q> on <S> and was refused: <R>`, `(?P<A>.+) 对 <S> 执行 <Q>，被拒绝（返回 <R>）`), answered(wasRefused)},
	{inBoth(`<A> sent <Q> and was refused: <R>`, `(?P<A>.+) 发送 <Q>，被拒绝（返回 <R>）`), answered(wasRefused)},
	{inBoth(`<A> sent <Q> and got <R>, but <B> counts <S> as not taken`, `(?P<A>.+) 发送 <Q>，返回 <R>，但 <B> 判定没有拿到 <S>`), answered(wasRefused)},
	{inBoth(`<A> ran <Q>, which returned <R>`, `(?P<A>.+) 执行 <Q>，返回 <R>`), answered(nil)},
	{inBoth(`<A> sent <Q> and got <R>`, `(?P<A>.+) 发送 <Q>，返回 <R>`), answered(nil)},
	{inBoth(`<A> subscribed to <K>`, `(?P<A>.+) 订阅 <K>`), func(p *shown, s *engine.Step, m map[string]string) bool {
		_, is := s.Request.(engine.Subscribe)
		return is && p.sent(s, map[string]string{"A": m["A"], "Q": "SUBSCRIBE " + m["K"]})
	}},
	{inBoth(`<A> unsubscribed from <K>`, `(?P<A>.+) 取消订阅 <K>`), func(p *shown, s *engine.Step, m map[string]string) bool {
		_, is := s.Request.(engine.Unsubscribe)
		return is && p.sent(s, map[string]string{"A": m["A"], "Q": "UNSUBSCRIBE " + m["K"]})
	}},
	{inBoth(`<A> received “(?P<M>.*)” on <K>`, `<A> 收到消息“(?P<M>.*)”（频道 <K>）`), received},
	{inBoth(`<A> read the event (?P<M>\S+) of <K>`, `<A> 读到事件 (?P<M>\S+)（<K>）`), received},
	{inBoth(`<A> made a move`, `<A> 执行了一步`), func(_ *shown, s *engine.Step, m map[string]string) bool {
		return s.Choice.Target == m["A"] && s.Request == nil
	}},
}

func received(p *shown, s *engine.Step, m map[string]string) bool {
	r, is := s.Request.(engine.Receive)
	return is && s.Choice.Target == m["A"] && s.Message == m["M"] && p.key(r.Node, r.Channel, m["K"])
}

// effects say what came of a step.
var effects = []claim{
	{saysEnter, notes(engine.NoteEnter)},
	{saysWants, notes(engine.NoteWant)},
	{inBoth(`<A> gave up (?:on|waiting for) a reply from <S>`, `<A> 不再等 <S> 的返回`), notes(engine.NoteNoReply)},
	{inBoth(`<A> has ended`, `<A> 已结束`), notes(engine.NoteDone, engine.NoteFailed)},
	{inBoth(`<A> told <B>`, `<A> 通知了 <B>`), func(p *shown, s *engine.Step, m map[string]string) bool {
		return s.Choice.Target == m["A"] && slices.ContainsFunc(s.Delivered, func(d engine.Delivery) bool { return d.Process == p.processOf(m["B"]) })
	}},
	{inBoth(`<A> locked the gap before <K>`, `<A> 锁住了 <K> 前面的间隙`), func(p *shown, s *engine.Step, m map[string]string) bool { return p.gotLock(s, m, true) }},
	{inBoth(`<A> locked <K>`, `<A> 锁住了 <K>`), func(p *shown, s *engine.Step, m map[string]string) bool { return p.gotLock(s, m, false) }},
	{inBoth(`<A> waits for (?P<N>.+)`, `<A> 等 (?P<N>.+)`), func(p *shown, s *engine.Step, m map[string]string) bool {
		return slices.ContainsFunc(s.After.Nodes, func(n engine.NodeView) bool {
			return slices.ContainsFunc(slices.Concat(n.Waits, n.Deadlock.Waits), func(w engine.Wait) bool {
				return s.Choice.Target == m["A"] && w.Actor == m["A"] && strings.Join(w.By, separators[p.lang].names) == m["N"]
			})
		})
	}},
	{inBoth(`<K> expired`, `<K> 过期`), func(p *shown, s *engine.Step, m map[string]string) bool {
		return slices.ContainsFunc(s.Expired, func(e engine.Expiry) bool { return p.key(e.Node, e.Key, m["K"]) })
	}},
	{inBoth(`<K> was deleted`, `<K> 被删除`), changed(func(_ *shown, s *engine.Step, c engine.Change, _ map[string]string) bool {
		return c.New == nil && !slices.ContainsFunc(s.Expired, func(e engine.Expiry) bool { return e.Node == c.Node && e.Key == c.Key })
	})},
	{inBoth(`<K> was created, without a TTL`, `<K> 已创建，没有 TTL`), changed(func(_ *shown, _ *engine.Step, c engine.Change, _ map[string]string) bool {
		return c.Old == nil && c.New.Deadline == engine.NoDeadline
	})},
	{inBoth(`<K> was created, TTL <T>`, `<K> 已创建，TTL 为 <T>`), changed(func(_ *shown, s *engine.Step, c engine.Change, m map[string]string) bool {
		return c.Old == nil && says(m["T"], c.New.Deadline-s.At)
	})},
	{inBoth(`<K> was created`, `<K> 已创建`), changed(func(_ *shown, _ *engine.Step, c engine.Change, _ map[string]string) bool {
		return c.Old == nil && c.New.Type == engine.ZnodeKey
	})},
	{inBoth(`(?P<K>\S+(?: on \S+)?): (?P<V>.+)`, `(?P<K>[^：]+)：(?P<V>.+)`), changed(func(p *shown, s *engine.Step, c engine.Change, m map[string]string) bool {
		return c.New != nil && split(m["V"], separators[p.lang].part, func(text string) bool { return p.became(s, c, text) })
	})},
}

// changed is about a key that a step changed.
func changed(is func(p *shown, s *engine.Step, c engine.Change, m map[string]string) bool) func(*shown, *engine.Step, map[string]string) bool {
	return func(p *shown, s *engine.Step, m map[string]string) bool {
		return slices.ContainsFunc(s.Changes, func(c engine.Change) bool { return p.key(c.Node, c.Key, m["K"]) && is(p, s, c, m) })
	}
}

// key tells whether a text names a key or a channel of a server: with the server, unless it goes without saying.
func (p *shown) key(node, name, text string) bool {
	name = inOneLine(name)
	return text == name || text == name+" on "+node && p.lang == lessons.En || text == node+" 上的 "+name && p.lang == lessons.Zh
}

// sent tells whether an actor made a step with a request, at a server that is told where there are several.
func (p *shown) sent(s *engine.Step, m map[string]string) bool {
	who, what, node := m["A"], m["Q"], engine.NodeOf(s.Request)
	for _, place := range []string{" 在 ", " 向 "} {
		who = strings.TrimSuffix(who, place+node)
	}
	what = strings.TrimPrefix(what, node+" 对 ")
	return who == s.Choice.Target && slices.ContainsFunc([]string{what, strings.TrimSuffix(what, " on "+node), strings.TrimSuffix(what, " to "+node)}, func(text string) bool {
		return asks(s.Request, text)
	})
}

var sha1 = regexp.MustCompile(`\b([0-9a-f]{8})[0-9a-f]{32}\b`)

// repliedWith tells whether a text is the reply in a step.
func (p *shown) repliedWith(s *engine.Step, text string) bool {
	e, _ := s.Request.(engine.Exec)
	clip := func(whole string) bool {
		part, clipped := strings.CutSuffix(text, "…")
		return text == whole || clipped && strings.HasPrefix(whole, part)
	}
	switch r := cmp.Or(s.Reply, &reply.Reply{}); {
	case s.Reply == nil:
		return text == "–"
	case r.IsError():
		return clip(strings.TrimRight(inOneLine(sha1.ReplaceAllString(r.Str, "$1…")), "."))
	case e.Op.Script != nil || !e.Op.IsStatement() && !strings.HasPrefix(append(e.Op.Args, "", "")[1], "/"):
		return clip(inOneLine(sha1.ReplaceAllString(r.String(), "$1…")))
	case e.Op.IsStatement() && r.Kind == reply.Int:
		n, _, _ := strings.Cut(text, " row")
		n, _, _ = strings.Cut(n, " 行")
		return n == r.String()
	case e.Op.IsStatement() && len(r.Elems) == 0 && r.Kind == reply.Array:
		return text == "no row" || text == "空结果"
	case e.Op.IsStatement() && r.Kind == reply.Array:
		var rows []string
		for _, row := range r.Elems {
			rows = append(rows, strings.Trim(row.String(), "{}"))
		}
		return clip(inOneLine(strings.Join(rows, "; ")))
	case e.Op.IsStatement() || len(r.Elems) == 0:
		return text == r.String() || len(r.Elems) == 0 && (text == "not there" || text == "不存在" || text == "no children" || text == "没有子节点")
	}
	flat := func(e reply.Reply) string { return strings.Trim(e.String(), `"`) } // of a ZooKeeper: what it told is in the text
	for _, e := range s.Reply.Elems {
		if len(e.Elems) == 0 && !strings.Contains(text, flat(e)) && s.Reply.Kind != reply.Map && !strings.HasSuffix(text, "…") {
			return false
		}
	}
	return true
}

// became tells whether a text says of a key what became of it.
func (p *shown) became(s *engine.Step, c engine.Change, text string) bool {
	was, now := engine.Key{Deadline: engine.NoDeadline}, *c.New
	if c.Old != nil {
		was = *c.Old
	}
	short := func(part, whole string) bool {
		cut, clipped := strings.CutSuffix(part, "…")
		return part == inOneLine(whole) || clipped && strings.HasPrefix(inOneLine(whole), strings.TrimRight(cut, " "))
	}
	item := func(k engine.Key, text string) bool {
		return slices.ContainsFunc(k.Items, func(it engine.Item) bool {
			return short(text, it.Name) && k.Type != engine.ListKey || k.Type == engine.ListKey && short(text, it.Value)
		})
	}
	is := func(en, zh string) map[string]string { return p.parts(inBoth(en, zh), text) }
	if text == "…" {
		return true
	}
	if m := is(`its TTL is now <T>`, `TTL 设为 <T>`); m != nil {
		return now.Deadline != was.Deadline && says(m["T"], now.Deadline-s.At)
	}
	if is(`its TTL was removed`, `TTL 已移除`) != nil {
		return was.Deadline != engine.NoDeadline && now.Deadline == engine.NoDeadline
	}
	if m := is(`<V> was added`, `加入 <V>`); m != nil {
		return item(now, m["V"])
	}
	if m := is(`<V> was removed`, `移除 <V>`); m != nil {
		return item(was, m["V"])
	}
	if m := is(`the session of <A> expires in <T>`, `<A> 的会话 <T>后过期`); m != nil {
		owner, _ := now.Get("owner")
		return owner == m["A"] && says(m["T"], now.Deadline-s.At)
	}
	if m := is(`the session of <A> is alive`, `<A> 的会话仍有效`); m != nil {
		owner, _ := now.Get("owner")
		return owner == m["A"] && now.Deadline == engine.NoDeadline
	}
	if m := is(`<A> has deleted it, uncommitted`, `<A> 已删除，未提交`); m != nil {
		return now.Pending.By == m["A"] && now.Pending.Items == nil
	}
	if m := is(`<A> has (?:written|inserted), uncommitted: <V>`, `<A> 已(?:写入|插入)，未提交：<V>`); m != nil {
		written := engine.Change{Old: &engine.Key{Type: now.Type, Items: now.Items}, New: &engine.Key{Type: now.Type, Items: now.Pending.Items}}
		whole := strings.TrimPrefix(written.New.Value(), "row ")
		return now.Pending.By == m["A"] && (short(m["V"], whole) || split(m["V"], separators[p.lang].part, func(text string) bool { return p.became(s, written, text) }))
	}
	if m := is(`what <A> had written is rolled back`, `<A> 写入的内容已回滚`); m != nil {
		return was.Pending.By == m["A"] && now.Pending.By == ""
	}
	if m := is(`a new row <V>`, `新行 <V>`); m != nil {
		return was.Items == nil && short(m["V"], strings.TrimPrefix(now.Value(), "row "))
	}
	old, next, turned := strings.Cut(text, " → ")
	return turned && (short(old, was.Text) && short(next, now.Text) || old == string(was.Type) && next == string(now.Type) ||
		slices.ContainsFunc(now.Items, func(it engine.Item) bool {
			before, had := was.Get(it.Name)
			return had && short(next, it.Value) && (short(old, it.Name+" "+before) || strings.HasPrefix(it.Name, strings.TrimSuffix(strings.Split(old, " ")[0], "…")) && strings.HasSuffix(old, before))
		}))
}

// gotLock tells whether an actor has a lock after a step, of a key or of the gap before it, and had it not before.
func (p *shown) gotLock(s *engine.Step, m map[string]string, gap bool) bool {
	has := func(n int) bool {
		return slices.ContainsFunc(p.trace.At(n).Nodes, func(v engine.NodeView) bool {
			return slices.ContainsFunc(v.Holds, func(h engine.Hold) bool {
				return h.Actor == m["A"] && h.Key == m["K"] && !h.Waits && (h.Mode == engine.HoldsGap) == gap
			})
		})
	}
	return has(s.N) && !has(s.N-1)
}

// untrueOf says what is wrong with the words for a step; empty: they are true. First stands what it was, or what came of it.
func (p *shown) untrueOf(s *engine.Step, text string) string {
	known := false
	is := func(all []claim, text string) bool {
		return slices.ContainsFunc(all, func(c claim) bool {
			m := p.parts(c.forms, text)
			known = known || m != nil
			return m != nil && c.is(p, s, m)
		})
	}
	switch {
	case split(text, separators[p.lang].clause, func(clause string) bool { return is(headlines, clause) || is(effects, clause) }):
		return ""
	case known:
		return "that is not what happened"
	}
	return "no form is known of it"
}

// split tells whether a text can be cut into parts that are all as they should be.
func split(text, by string, is func(string) bool) bool {
	if is(text) {
		return true
	}
	for i := 0; ; i += len(by) {
		at := strings.Index(text[i:], by)
		if at < 0 {
			return false
		}
		i += at
		if is(text[:i]) && split(text[i+len(by):], by, is) {
			return true
		}
	}
}
