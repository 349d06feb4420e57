package ui

// What real clients do.
var (
	liveTitle     = msg{"Your clients", "你的客户端"}
	liveAbout     = msg{"What real clients do on this Redis, as it happens: each command is a step, and the locks that are recognised.", "真实客户端在这个 Redis 上的实时操作：每条命令是一步，并识别其中的锁。"}
	liveConnect   = msg{"Let your service use the Redis at %s instead of its own. Give each process a name (CLIENT SETNAME), so that its connections share a lane.", "让你的服务改用 %s 上的 Redis。给每个进程起个名字（CLIENT SETNAME），它的连接就会画在同一条泳道上。"}
	liveNoStore   = msg{"It keeps everything in memory and loses it when it ends: it is for trying things out, and no store for data.", "数据只在内存中，程序结束即丢失：仅供试验，不要用来保存数据。"}
	livePasses    = msg{"Whoever connects to %s speaks with the Redis at %s: every byte is passed on. When attach ends, connections end, and nothing else.", "连接 %s 的客户端实际在和 %s 上的 Redis 对话：每个字节都原样转发。attach 结束时只有连接会断开，别无影响。"}
	liveNow       = msg{"The page goes along with what happens.", "页面正在实时跟随。"}
	livePast      = msg{"You see the past: step %d of %d. Your clients go on meanwhile.", "正在查看历史：第 %d 步，共 %d 步。客户端仍在继续运行。"}
	liveReturn    = msg{"Back to now", "回到现在"}
	liveDropped   = msg{"%d steps have left. The last few hundred are all there; of the older ones, those stay longest that broke a rule, then those by which somebody took a lock or left it.", "已移除 %d 步。最近几百步全部保留；更早的步骤中，违反规则的保留最久，其次是加锁和解锁。"}
	liveKeep      = msg{"Make a lesson of it", "生成课程"}
	liveKeepWhy   = msg{"A lesson whose clients send what yours have sent: there you choose who goes first, look into scripts and change everything.", "课程中的客户端会重发你的客户端发过的内容：在那里可以选择谁先执行、查看脚本内部、随意修改。"}
	liveLocksHead = msg{"Locks", "锁"}
	liveNoLocks   = msg{"No lock is held. Recognised are keys that are made by SET with NX, by SETNX, or by a script that is given a token, and Redisson's read-write locks.", "目前没有锁被持有。能识别的锁：由 SET NX、SETNX 创建的 key，由传入 token 的脚本创建的 key，以及 Redisson 的读写锁。"}
	liveHeldBy    = msg{"held by %s for %s", "由 %s 持有，已 %s"}
	liveFoundBy   = msg{"held by %s for %s or longer", "由 %s 持有，至少已 %s"}
	liveReadBy    = msg{"%s holds it for reading, for %s so far", "%s 持有读锁，已 %s"}
	liveFree      = msg{"free", "空闲"}
	liveRenewed   = msg{"renewals: %d", "已续期 %d 次"}
	liveWaits     = msg{"%s has waited for %s", "%s 已等待 %s"}
	liveWarnHead  = msg{"Warnings", "警告"}
	liveTimes     = msg{"%d times so far, this being the last", "已出现 %d 次，这是最近一次"}
	liveAtStep    = msg{"step %d, at %s", "第 %d 步，%s"}
	liveRead      = msg{"Mark as read", "标为已读"}
	liveReadAll   = msg{"Mark all as read", "全部标为已读"}

	liveMoreWarnings = msg{"%d more are not shown.", "另有 %d 条没有显示。"}
	liveNoWarn       = msg{"No unread warnings.", "没有未读的警告。"}
	liveOutlived     = msg{"A holder came back to a lock whose lease had ended: for some time it worked without the lock.", "持有者回来操作一把租约已经到期的锁：它有一段时间是在没有锁的情况下工作的。"}

	liveHoldHead   = msg{"Hold requests back", "拦截请求"}
	liveHoldWhy    = msg{"What a rule matches waits until you let it go, so that you make a race by hand. An empty field matches anything; * stands for any letters of a key or a client.", "规则匹配的请求会停下，由你放行，这样可以亲手制造竞态。留空表示不限；key 和客户端中可用 * 通配。"}
	liveHoldKey    = msg{"Key", "key"}
	liveHoldVerb   = msg{"Command", "命令"}
	liveHoldClient = msg{"Client", "客户端"}
	liveHoldAdd    = msg{"Hold back", "开始拦截"}
	liveHoldRemove = msg{"Remove", "移除"}
	liveRuleTimes  = msg{"%d held so far; it goes on until you remove it", "已拦截 %d 个请求；移除之前一直有效"}
	liveScriptAny  = msg{"any, or none", "不限"}
	liveScriptName = msg{"%s (%s)", "%s（%s）"}
	liveRuleAny    = msg{"every request", "所有请求"}
	liveRuleKey    = msg{"key %s", "key %s"}
	liveRuleScript = msg{"script %s", "脚本 %s"}
	liveRuleClient = msg{"client %s", "客户端 %s"}
	liveHeldHead   = msg{"Held requests", "被拦截的请求"}
	liveHeldFor    = msg{"held for %s", "已拦截 %s"}
	liveHeldMore   = msg{"%d more are held.", "另有 %d 个请求被拦截。"}
	liveLetGo      = msg{"Let it go", "放行"}
	liveLetAllGo   = msg{"Let all go", "全部放行"}
	liveHungUp     = msg{"%s hung up after %s: %s was not performed.", "%s 等了 %s后断开连接：%s 没有执行。"}
)
