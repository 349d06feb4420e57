package ui

// Inside a script.
var (
	insideEnter    = msg{"Step inside", "逐行查看"}
	insideLeave    = msg{"Leave", "离开"}
	insideLabel    = msg{"Lines that the step ran", "这一步执行的各行"}
	insideBack     = msg{"One line back", "后退一行"}
	insideForward  = msg{"One line forward", "前进一行"}
	insideScrub    = msg{"Place among the lines", "在各行中的位置"}
	insideAt       = msg{"line %d", "第 %d 行"}
	insidePlace    = msg{"%s, %d of %d", "%s，第 %d 项，共 %d 项"}
	insidePass     = msg{"pass %s", "第 %s 轮"}
	insideMore     = msg{"… %s more …", "…… 另有 %s 项 ……"}
	insideKeys     = msg{"inside the script, line %d", "脚本执行中，第 %d 行"}
	insideLocals   = msg{"Values", "变量"}
	insideCall     = msg{"redis.call returned", "redis.call 的返回值"}
	insideFailed   = msg{"failed", "失败"}
	insideNoLocal  = msg{"no local variables yet", "还没有局部变量"}
	insideRunning  = msg{"its script is running", "脚本正在执行"}
	insideAtomic   = msg{"Redis runs the script as one step: nobody else gets in until it ends.", "Redis 把整个脚本当作一步来执行：脚本结束之前，谁都插不进来。"}
	saidClientLine = msg{"%s, %s: %s", "%s，%s：%s"}
	saidLine       = msg{"line %d: %s", "第 %d 行：%s"}
	saidCall       = msg{"line %d: %s returned %s", "第 %d 行：%s 返回 %s"}
	saidCallFails  = msg{"line %d: %s failed: %s", "第 %d 行：%s 失败：%s"}
)

// The code of the clients.
var (
	sidesLabel       = msg{"Whose code", "代码在哪一端运行"}
	sideServer       = msg{"In %s", "%s 端"}
	sideServers      = msg{"In the servers", "服务器端"}
	sideClient       = msg{"In the clients", "客户端"}
	sideServerWhy    = msg{"In Redis: nobody can come between two lines.", "在 Redis 内执行：两行之间，谁都插不进来。"}
	commentsOriginal = msg{"Original comments", "原注释"}
	commentsWhy      = msg{"The comments are translated for you. The script runs as it is.", "注释已翻译，实际运行的脚本没有改动。"}
	sideClientWhy    = msg{"In %s: anybody may come between two requests.", "在 %s 中执行：两次请求之间，谁都可能插进来。"}
	clientThreads    = msg{"Threads and their tasks", "线程及其后台任务"}
	clientCode       = msg{"Code of %s", "%s 的代码"}
	clientCalled     = msg{"called just now", "刚刚调用"}
	clientWaits      = msg{"What it waits for", "它在等什么"}
	clientFailed     = msg{"It failed here: %s", "在这里失败：%s"}
	clientAsked      = msg{"It has sent its request, and gets the reply when the script ends.", "请求已经发出，脚本执行完才会收到返回值。"}
	clientRunning    = msg{"running", "运行中"}
	clientRuns       = msg{"Between two requests it runs on its own, in no time.", "两次请求之间它独立运行，不占用虚拟时间。"}
	clientValues     = msg{"Variables", "变量"}
	clientOuter      = msg{"outer", "外层"}
	nextScript       = msg{"next: asks %s to run the script", "下一步：请求 %s 执行脚本"}
	nextCommand      = msg{"next: sends to %s", "下一步：向 %s 发送"}
	nextTake         = msg{"next: takes the message on %s", "下一步：取走 %s 上的消息"}
	nextSent         = msg{"sent to %s:", "已发给 %s："}
	nextNever        = msg{"It stopped here and will never get past", "停在了这里，再也执行不完"}
)
