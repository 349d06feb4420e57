package ui

import "lockstep/engine/fact"

// chinese has the Chinese words for the facts of all layers; fact.English has the English ones.
var chinese = fact.Words{
	// Of every layer.
	"text": "%s",
	"and":  " 和 ",

	// Why a choice cannot happen now.
	"sleeping":      "休眠到 %s",
	"waiting":       "正在等待 %s 上的消息",
	"waiting-until": "等待 %s 上的消息，最晚到 %s",
	"paused":        "进程 %s 已暂停",
	"crashed":       "进程 %s 已崩溃",
	"done":          "程序已结束",
	"failed":        "程序已失败：%s",
	"nothing-due":   "之后没有任何定时或到期事件",
	"not-paused":    "进程 %s 没有暂停",
	"no-message":    "%s 没有待接收的消息",
	"too-far":       "时钟不能前进 %s",
	"unknown":       "本课没有 %s",
	"not-enabled":   "现在不能执行 %q：%s",

	// Why a program broke off, if not because of an error of Lua.
	"says-too-much":         "连续输出的文字超过 %d KB",
	"never-asks":            "连续执行了 %d 个动作，期间既没有访问 Redis，也没有等待",
	"no-node":               "本课没有节点 %q",
	"not-subscribed":        "在没有订阅 %q 的情况下等待它的消息",
	"not-inside":            "不在临界区 %q 中，却要离开它",
	"task-name":             "%q 不能作为任务名：只能使用字母、数字、- 和 _",
	"task-runs":             "任务 %q 已经在运行",
	"too-many-tasks":        "已有 %d 个任务，不能再启动更多",
	"too-many-instructions": "执行的指令超过了一个程序的上限 %d 条",
	"too-much-memory":       "占用的内存超过了一个程序最多 %d MB 的限制",
	"no-request":            "程序挂起（yield）时返回的不是请求",
	"interpreter-gave-up":   "解释器无法继续：%v",

	// How the engine's invariants break, and a lesson's own.
	"mutual-exclusion":     "%s 同时在 %s 中",
	"no-lock-without-ttl":  "锁 %s 没有过期时间：持有者一旦崩溃，它将永远存在",
	"released-by-holder":   "%s 删除了锁 %s，而此时 %s 还在临界区内",
	"waiters-in-order":     "%[1]s 先于等待更久的 %[3]s 进入了 %[2]s",
	"nobody-waits-forever": "%s 在等待，但已经没有任何事件能唤醒它",
	"rule-broken":          "%s 不再成立",

	// Why a run cannot go on.
	"node-not-reset":  "无法重置节点 %s：%s",
	"run-ended":       "运行已被终止：%s",
	"too-many-steps":  "一次运行最多 %d 步：请后退，或重置课程",
	"too-many-timers": "时钟一次前进 %s 会经过 %d 个以上的定时事件：请前进得少一些",
	"off-clock":       "本课的时钟以 %s 的整数倍前进：%s 不是",
	"step-too-big":    "它的返回值和之后服务器中的数据约有 %d KB，最多只能显示 %d KB",
	"run-too-big":     "所有步骤合计会超过 %d MB：请后退，或从头开始",

	// Choices, spans and schedules that cannot be read.
	"no-kind":           "%q 不是有效的选择：请使用 %s 或 %s",
	"no-target":         `%q 缺少客户端或进程的名字，例如 "run A"`,
	"no-choice":         "%q 不是有效的选择",
	"no-fault":          "%q 不是一种故障",
	"no-span":           "%q 不是时长：请写成 30s 或 1500ms",
	"span-not-positive": "时长 %s 必须大于零",
	"span-too-long":     "时长 %s 超过了上限 %s",
	"span-too-fine":     "时长 %s 必须是毫秒的整数倍",
	"no-schedule":       "%q 不是步骤序列：它应以 %s. 和课程的哈希开头",
	"schedule-part":     "步骤序列的第 %d 部分：%s",
	"schedule-repeats":  "%q 的重复次数是 %q：请写 1 到 %d 之间的数",
	"schedule-too-long": "步骤序列超过了 %d 个选择",

	// What a lesson expected, and what came.
	"reply":         "返回值",
	"key":           "键 %s",
	"key-on":        "%[2]s 上的键 %[1]s",
	"ttl-of":        "%s 的 TTL",
	"inside":        "在 %s 中的客户端",
	"status-of":     "%s 的状态",
	"messages":      "送达的消息",
	"woke":          "醒来的客户端",
	"broken":        "被破坏的规则",
	"program-of":    "%s 的程序",
	"exists":        "存在",
	"no-such-key":   "不存在",
	"no-such-actor": "已经没有这个客户端",
	"gone":          "已删除",
	"nobody":        "无",
	"none":          "无",
	"nothing":       "无",
	"no-reply":      "没有返回值",
	"goes-on":       "继续运行",
	"it-failed":     "失败：%s",
	"error-with":    "包含 %s 的错误",
	"of-type":       "%s 类型",
	"has-left":      "%s；%s 的程序已结束，也就离开了临界区",
	"broken-how":    "%s（%s）",
}
