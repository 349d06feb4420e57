package ui

import (
	"fmt"

	"lockstep/lessons"
)

// msg is one text of the page in both languages. Both take the same arguments, in verbs
// of fmt.
type msg struct{ en, zh string }

func (m msg) in(lang lessons.Lang, args ...any) string {
	text := m.en
	if lang == lessons.Zh {
		text = m.zh
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Frame of the page.
var (
	pageTagline     = msg{"Redis locks, one step at a time", "一步一步，看清 Redis 分布式锁"}
	pageIntro       = msg{"You are the scheduler. Choose which client moves next, move the clock, crash a process, and watch every key, TTL, queue and message change. The scripts are the real ones.", "你就是调度器：决定下一步轮到哪个客户端、拨动时钟、让进程崩溃，并观察每个 key、TTL、队列和消息的变化。运行的都是真实的脚本。"}
	pageLessons     = msg{"Lessons", "课程"}
	pageSkip        = msg{"Skip to the lesson", "跳到课程内容"}
	pageOtherLang   = msg{"中文", "English"}
	pageLangLabel   = msg{"Read this page in Chinese", "切换到英文"}
	pageShare       = msg{"Share", "分享"}
	pageShared      = msg{"Link copied", "链接已复制"}
	pageShareFail   = msg{"The link could not be copied. It is in the address bar.", "无法复制链接，请从地址栏复制。"}
	pageTheme       = msg{"Switch colours: light, dark, or as the system", "切换配色：浅色、深色、跟随系统"}
	pageHelp        = msg{"Keys and help", "快捷键与帮助"}
	pageLost        = msg{"Connection lost, trying again …", "连接已断开，正在重试……"}
	pageUndone      = msg{"The connection was lost before all of your actions were carried out. The page shows those that were.", "连接中断，部分操作没有执行。页面显示的是已经执行的部分。"}
	pageCrowded     = msg{"All places on the server are taken, so the lesson runs in this browser, at the same step. To try the server again, choose it under “Act yourself”.", "服务器上的会话已满，本课改在浏览器中运行，步骤不变。要再试一次，请点“自己动手”，重新选择服务器。"}
	pageLoading     = msg{"Starting in this browser …", "正在浏览器中准备运行环境……"}
	pageRestarted   = msg{"The engine in this browser stopped answering and was started again. You are where you were before the last move.", "浏览器中的引擎没有响应，已重新启动。你回到了上一次操作之前的位置。"}
	pageAfresh      = msg{"The steps in this address could not be played in this browser, so the lesson starts over.", "这个地址中的步骤无法在浏览器中播放，课程已从头开始。"}
	pageAfreshLink  = msg{"Try them again", "再试一次"}
	pageNotStarted  = msg{"The playground could not be started in this browser: {0}", "无法在这个浏览器中启动：{0}"}
	pageUnsupported = msg{"it does not support WebAssembly, or WebAssembly is turned off. All current browsers support it.", "它不支持 WebAssembly，或已将其关闭。请使用较新的浏览器。"}
	pageFailed      = msg{"The page could not be updated: {0}", "页面更新失败：{0}"}
	pageReload      = msg{"Load the page again", "重新加载页面"}
	pageNewBuild    = msg{"The playground was updated.", "演练场已更新。"}
	pageNoScript    = msg{"This page shows the lesson at one step. To go on, enable JavaScript.", "当前页面显示的是课程的某一步。要继续操作，需要启用 JavaScript。"}
	pageHome        = msg{"All lessons", "全部课程"}
	pageClose       = msg{"Close", "关闭"}
	pageNumber      = msg{"Lesson", "课程"}
	pageNumberOf    = msg{"%d of %d", "%d / %d"}
	pageFinished    = msg{"finished", "已学完"}
	pageErrorHead   = msg{"That did not work", "出错了"}
	pageNotFound    = msg{"There is nothing at this address", "这个地址没有内容"}
	pageLevels      = map[lessons.Level]msg{
		lessons.Basic:    {"basic", "基础"},
		lessons.Advanced: {"advanced", "进阶"},
	}
	pageSteps = msg{"%d steps", "%d 步"}
	pageEmpty = msg{"There are no lessons here yet.", "这里还没有课程。"}
)

// Engine switch and notices.
var (
	engineLabel    = msg{"Engine: what plays the steps", "引擎：由谁来执行这些步骤"}
	engineBrowser  = msg{"In this browser", "在浏览器中"}
	engineEmbedded = msg{"On the server", "在服务器上"}
	engineReal     = msg{"Real %s", "真实 %s"}
	engineBrowser1 = msg{"Built-in %s, in this browser: this is where the steps are played", "内置的 %s，在浏览器中运行：步骤就在这里执行"}
	engineServer1  = msg{"Built-in %s, on the server: this is where the steps are played", "内置的 %s，在服务器上运行：步骤就在这里执行"}
	engineSeveral  = msg{"servers", "服务器"}
	engineReal1    = msg{"A real server: the same steps are played there, in virtual time", "真实的服务器：在那里执行同样的步骤，时间仍是虚拟的"}
	engineWhyNot   = msg{"Why not?", "为什么不可用？"}
	noticeError    = msg{"That did not work", "操作没有成功"}
	noticeError1   = msg{"Step %d did not happen", "第 %d 步没有执行"}
	noticeDiffers  = msg{"Different result", "结果不同"}
	noticeDiffers1 = msg{"Different result at step %d", "第 %d 步结果不同"}
	noticeReloaded = msg{"Reloaded", "已重新加载"}
	noticeBroken   = msg{"The lesson’s files have mistakes. The page shows the last good version.", "课程文件有错误，页面显示的是上一个可用版本。"}
	pageBroken     = msg{"The lesson “%s” has mistakes", "课程“%s”的文件有错误"}
	noticeSame     = msg{"Same result", "结果一致"}
	noticeGo       = msg{"Show step %d", "查看第 %d 步"}
)

// Story.
var (
	storyLabel       = msg{"Story", "故事"}
	storyStep        = msg{"step %d of %d", "第 %d / %d 步"}
	storyLeftAt      = msg{"left after step %d of %d", "走到第 %d / %d 步后离开"}
	storyContinue    = msg{"Continue", "继续"}
	storyStepN       = msg{"step %d", "第 %d 步"}
	storyMenu        = msg{"More about the story", "故事的更多操作"}
	storyWhy         = msg{"Why", "为什么"}
	storyEarlier     = msg{"Said after step %d", "第 %d 步之后说的"}
	storyAtFirst     = msg{"Said at the start", "开头说的"}
	storyMore        = msg{"More is said after step %d.", "第 %d 步之后接着说。"}
	storyAbout       = msg{"What this is about", "本课内容"}
	storyNeeds       = msg{"Builds on", "先学"}
	storyVersions    = msg{"Behaves as shown", "适用版本"}
	storyLearnt      = msg{"What to take away", "小结"}
	storyNext        = msg{"Next", "接下来"}
	storyAtEnd       = msg{"Nothing more: this is the end of the story.", "没有了，故事到此结束。"}
	storyGoOn        = msg{"Next lesson", "下一课"}
	storyOver        = msg{"The end", "已结束"}
	storyOff         = msg{"Off the story", "已离开故事"}
	storyYours       = msg{"You choose.", "由你决定。"}
	storyNobody      = msg{"No client goes on any more.", "客户端都没有下一步了。"}
	storyBelow       = msg{"More below ↓", "下面还有 ↓"}
	storyPredicted   = msg{"You predicted %d of %d right.", "你预测对了 %d / %d。"}
	causeHead        = msg{"Root cause", "根因"}
	causeShow        = msg{"Show the root cause", "查看根因"}
	causeAffected    = msg{"Affected (checked)", "影响版本（已核实）"}
	causeCured       = msg{"Cured", "修复"}
	storyDone        = msg{"The story ends here. Now try to break it: choose other moves.", "故事到此结束。现在试着破坏它：换一种调度。"}
	storyDoneFaults  = msg{"The story ends here. Now try to break it: choose other moves, or a fault.", "故事到此结束。现在试着破坏它：换一种调度，或制造一个故障。"}
	storyDoneMend    = msg{"The story ends here. Now repair it: change the code so that no schedule breaks it.", "故事到此结束。现在动手修复：修改代码，让任何调度都不会出错。"}
	storyDoneNext    = msg{"The story ends here. Now take on the next challenge.", "故事到此结束。现在来做下一个挑战。"}
	storyDoneOnward  = msg{"The story ends here. Go on, or step back and choose other moves.", "故事到此结束。可以继续往下学，也可以后退，换一种调度。"}
	storyDoneAll     = msg{"The story ends here, and no client goes on. To break it, step back and choose other moves.", "故事到此结束，客户端都没有下一步了。想破坏它，先后退，再换一种调度。"}
	storySearched    = msg{"The search made these moves.", "这些步骤是搜索走出来的。"}
	storyShown       = msg{"These moves show one way to do it.", "这些步骤演示了一种解法。"}
	storyLeft        = msg{"You left the story at step %d. The world follows your choices now.", "你在第 %d 步离开了故事，现在由你的选择决定一切。"}
	storyActs        = msg{"Act yourself", "自己动手"}
	storyOnly        = msg{"Only the story", "只看故事"}
	storyBack        = msg{"Back to the story", "回到故事"}
	storyReset       = msg{"Start over", "从头开始"}
	storyFailed      = msg{"The lesson expected something else here", "这里的结果与课程的预期不符"}
	storyNextIs      = msg{"%s moves: %s", "轮到 %s：%s"}
	challengeLabel   = msg{"Challenge", "挑战"}
	challengeSolved  = msg{"solved before", "之前已完成"}
	challengeOf      = msg{"Challenge %d of %d", "挑战 %d / %d"}
	challengeNext    = msg{"Next challenge", "下一个挑战"}
	challengeHint    = msg{"Hint", "提示"}
	challengeSolve   = msg{"Show a solution", "看一种解法"}
	challengeWon     = msg{"You did it, at step %d.", "成功了：第 %d 步。"}
	challengeMissed  = msg{"A rule is broken, but the goal of the challenge is not reached.", "有规则被违反了，但还没有达成挑战的目标。"}
	challengeEdited  = msg{"It only counts with the lesson's original code: reset your edits first.", "只有用课程原来的代码完成才算：请先还原修改。"}
	challengeShown   = msg{"One way to do it: step %d is the goal.", "一种解法：第 %d 步达成目标。"}
	challengeReset   = msg{"Try from the start", "从头开始尝试"}
	predictionLabel  = msg{"Your prediction", "你的预测"}
	predictionSubmit = msg{"Predict", "预测"}
	predictionAfter  = msg{"What do you expect after the next %d steps?", "接下来 %d 步之后，你的预测是？"}
	predictionSteps  = msg{"Steps %d to %d were made.", "执行了第 %d 至 %d 步。"}
	predictionHead   = msg{"What do you expect?", "你的预测是？"}
	predictionShow   = msg{"Show me", "直接演示"}
	predictionDrag   = msg{"Where the lease ends", "租约到何时为止"}
	predictionEnds   = msg{"It ends after", "还剩"}
	predictionAnswer = msg{"The answer:", "答案："}
	predictionRight  = msg{"Right:", "正确："}
	predictionWrong  = msg{"Not quite:", "不对："}
	choiceTickSpan   = msg{"clock +%s", "时钟 +%s"}
)

// answerWords are answers in words, the engine's and those that lessons offer: all others are data.
var answerWords = map[string]msg{
	"yes":      {"yes", "是"},
	"no":       {"no", "否"},
	"nobody":   {"nobody", "没有人"},
	"nothing":  {"nothing", "什么都没有"},
	"an error": {"an error", "报错"},
}

// ttlAnswerWords are what becomes of a key's time to live, where it is no time.
var ttlAnswerWords = map[string]msg{
	"none": {"no TTL", "没有 TTL"},
	"nil":  {"gone", "已消失"},
}

var statusAnswerWords = map[string]msg{
	"ready":    {"ready", "就绪"},
	"blocked":  {"blocked", "在服务器端阻塞"},
	"waiting":  {"waiting", "等待"},
	"sleeping": {"sleeping", "休眠"},
	"finished": {"finished", "已结束"},
	"none":     {"no such task", "没有这个任务"},
}

// Panels.
var (
	nowLabel        = msg{"What just happened", "刚刚发生"}
	nowStart        = msg{"Nothing has happened yet. This is the start.", "还没有发生任何事，下面是初始状态。"}
	nowStartBegun   = msg{"This is the start: nothing has been sent yet", "这里是起点，还没有发出任何请求"}
	nowChoose       = msg{"What may happen next", "接下来可选的操作"}
	brokenLabel     = msg{"Rule broken: %s", "规则被破坏：%s"}
	nowForks        = msg{"a choice here starts a new branch", "在这里选择会产生新分支"}
	nowFork         = msg{"Branch here", "在此分叉"}
	nowForkWhy      = msg{"Make this the present. The %d later steps stay one click away.", "让这里成为最新一步。之后的 %d 步一键可回。"}
	actorInside     = msg{"inside %s", "在 %s 中"}
	actorWants      = msg{"wants %s", "想要 %s"}
	actorSleeps     = msg{"sleeps until %s", "休眠到 %s"}
	actorUntil      = msg{"until %s", "到 %s"}
	actorWorks      = msg{"works until %s", "工作到 %s"}
	actorWaits      = msg{"waits for a message", "正在等待消息"}
	actorWaitsUntil = msg{"waits until %s", "等待到 %s"}
	actorAwaits     = msg{"waits for %s until %s", "等 %s 返回，到 %s"}
	actorRun        = msg{"Run", "执行"}
	actorNothing    = msg{"nothing more to do", "没有后续请求"}
	actorNext       = msg{"next", "下一步"}
	actorSent       = msg{"sent", "已发出"}
	actorNever      = msg{"stopped at", "停在"}
	actorNow        = msg{"now", "现在"}
	actorFor        = msg{"for", "等"}
	actorTakesWord  = msg{"takes", "接收"}
	clockLabel      = msg{"Virtual clock", "虚拟时钟"}
	clockDue        = msg{"next due in %s:", "%s后："}
	dueExpires      = msg{"%s expires", "%s 过期"}
	dueSession      = msg{"the session of %s expires", "%s 的会话过期"}
	dueSilent       = msg{"%s counts the replica %s no more", "%s 不再把从节点 %s 计算在内"}
	dueWakes        = msg{"%s wakes", "%s 醒来"}
	dueDone         = msg{"%s is done", "%s 干完活"}
	dueGivesUp      = msg{"%s stops waiting", "%s 等待超时"}
	clockToDue      = msg{"To next due", "到下一个到期点"}
	faultsLabel     = msg{"Faults", "故障"}
	faultsNone      = msg{"This lesson has no faults to inject.", "本课没有可注入的故障。"}
	keysOfSeveral   = msg{"What the servers hold", "各服务器中的数据"}
	keysEmpty       = msg{"No keys", "没有 key"}
	keysEmptyNow    = msg{"Redis holds nothing now.", "Redis 中现在没有数据。"}
	keysEmptyStart  = msg{"Redis holds nothing yet.", "Redis 中还没有数据。"}
	keyNew          = msg{"new", "新建"}
	keyDeleted      = msg{"deleted", "已删除"}
	keyExpired      = msg{"expired", "已过期"}
	keyChanged      = msg{"changed", "已修改"}
	keyGoneItem     = msg{"removed", "已移除"}
	keyNoTTL        = msg{"no TTL", "无 TTL"}
	keyTTL          = msg{"TTL", "TTL"}
	keyTTLOf        = msg{"%s of %s left", "剩余 %s / %s"}
	keyHead         = msg{"head", "队首"}
	keyTail         = msg{"tail", "队尾"}
	keyEmptyString  = msg{"(empty string)", "（空字符串）"}
	heldLabel       = msg{"Inside critical sections", "临界区内"}
	heldBy          = msg{"inside", "临界区"}
	memoryOf        = msg{"In the memory of processes", "进程内存"}
	heldNone        = msg{"Nobody is inside a critical section.", "没有客户端在临界区内。"}
	heldTwo         = msg{"at the same time!", "同时在内！"}
	channelsLabel   = msg{"Channels and mail", "频道与消息"}
	channelsNone    = msg{"No subscribers and no messages.", "没有订阅者，也没有待接收的消息。"}
	channelListens  = msg{"%s listens", "%s 正在监听"}
	mailWaits       = msg{"waits in %s", "待 %s 接收"}
	scriptLabel     = msg{"Script", "脚本"}
	scriptRan       = msg{"%s ran it in step %d", "%s 在第 %d 步执行"}
	scriptNext      = msg{"%s will run it next", "%s 接下来会执行"}
	scriptIdle      = msg{"not run yet", "尚未执行"}
	scriptCommand   = msg{"A plain command, no script", "普通命令，不是脚本"}
	scriptRequest   = msg{"A request, no script", "普通请求，不是脚本"}
	scriptReplied   = msg{"replied", "返回"}
	scriptLines     = msg{"Source of %s", "%s 的源码"}
	scriptNoScripts = msg{"No script runs here, only plain commands.", "这里没有运行脚本，只有普通命令。"}
	asideLabel      = msg{"What there is to do, and what came of it", "可以做什么，以及结果"}
	tabState        = msg{"State", "状态"}
	tabScript       = msg{"Code", "代码"}
	tabsLabel       = msg{"Panels", "面板"}
)

// Timeline and transport.
var (
	timelineLabel    = msg{"Timeline", "时间线"}
	timelineDiagram  = msg{"Diagram", "图示"}
	timelineText     = msg{"Sentences", "文字"}
	timelineEarlier  = msg{"%d earlier steps", "之前的 %d 步"}
	timelineLater    = msg{"%d later steps", "之后的 %d 步"}
	timelineSummary  = msg{"Steps %d to %d of %d", "第 %d 至 %d 步，共 %d 步"}
	timelineColStep  = msg{"Step", "步"}
	timelineColTime  = msg{"Time", "时间"}
	timelineColWhat  = msg{"What happened", "发生了什么"}
	timelineMore     = msg{"and %d more", "另有 %d 项"}
	transportLabel   = msg{"Transport", "播放控制"}
	transportFirst   = msg{"To the start", "到起点"}
	transportBack    = msg{"Back", "后退"}
	transportForward = msg{"One step forward", "前进一步"}
	transportLast    = msg{"To the present", "到最新"}
	transportPlay    = msg{"Play", "播放"}
	transportPause   = msg{"Pause", "暂停"}
	transportSpeed   = msg{"Steps per second", "每秒步数"}
	transportScrub   = msg{"Place on the timeline", "时间线位置"}
	transportNoBack  = msg{"this is the start", "已在起点"}
	transportHere    = msg{"this is the newest step", "已是最新一步"}
	transportNoNext  = msg{"the story has no next step: choose a move", "故事没有下一步，请自己选择"}
	placeOf          = msg{"step %d of %d", "第 %d 步，共 %d 步"}
	placeStart       = msg{"start, %d steps follow", "起点，共 %d 步"}
	placePast        = msg{"Past", "过去"}
	placePastWhy     = msg{"Looking changes nothing. Acting here starts a new branch.", "只是查看不会改变任何内容；在这里操作会产生新分支。"}
	placePresent     = msg{"Present", "最新"}
	placeGhost       = msg{"Branched after step %d", "在第 %d 步后分叉"}
	placeGhostBack   = msg{"Back to the other %d steps", "回到另一条 %d 步的时间线"}
)

// Help.
var (
	helpTitle = msg{"Keys", "快捷键"}
	helpOn    = msg{"Single keys are on", "启用单键快捷键"}
	helpHint  = msg{"They are off while you type.", "输入文字时自动停用。"}
	helpKeys  = []struct {
		keys []string
		does msg
	}{
		{[]string{"Enter"}, msg{"go on with the story", "继续故事"}},
		{[]string{"Space"}, msg{"play or pause", "播放或暂停"}},
		{[]string{"←", "→"}, msg{"one step back, or to the sentence before while the story is told; one step forward", "后退一步，讲故事时回到上一句；前进一步"}},
		{[]string{"Shift ←", "Shift →"}, msg{"one line back, one line forward through the code that the step ran", "在这一步执行的代码中后退一行、前进一行"}},
		{[]string{"Home", "End"}, msg{"to the start, to the present", "到起点、到最新"}},
		{[]string{"0", "…", "9"}, msg{"answer the question; else run that client, again and again while the key is held", "回答问题；没有问题时，执行对应的客户端，按住不放就一直执行"}},
		{[]string{"T"}, msg{"move the clock to what is due next", "把时钟推进到下一个到期点"}},
		{[]string{"F"}, msg{"act from here: go to the choices; in the past, the later steps first become another branch", "从这里操作：跳到可选操作；如果停在过去，会先把之后的步骤留作另一条分支"}},
		{[]string{"E"}, msg{"edit the code that is shown", "修改显示的代码"}},
		{[]string{"Ctrl ⏎", "Esc"}, msg{"in the editor: apply; leave the text", "在编辑器中：应用；离开编辑区"}},
		{[]string{"P"}, msg{"present: large type; then Page Down and Page Up go on and back, and B makes the screen dark", "演示模式：大字显示；此时 Page Down 和 Page Up 前进、后退，B 键黑屏"}},
		{[]string{"W"}, msg{"read and change the lesson’s text, beside the page", "在页面旁查看并修改课程源文件"}},
		{[]string{"?"}, msg{"this list", "显示本列表"}},
	}
	helpAboutTitle = msg{"How it works", "使用说明"}
	helpAbout      = []msg{
		{"One step is one request of one client, done atomically. Nothing moves by itself.", "一步就是一个客户端的一次请求，原子执行。你不操作，什么都不会发生。"},
		{"Time is virtual: it moves only when you move it, on the real Redis too.", "时间是虚拟的：只有你推进时钟，它才会走，在真实 Redis 上也一样。"},
		{"A lease is the time for which a lock is given: the TTL of its key. Who works longer than that has no lock any more, and is not told.", "租期就是锁的有效期，也就是它的 key 的 TTL。干活超过租期的人已经没有锁了，却没人告诉他。"},
		{"Green: a client got what it asked for. Red: it did not. Which reply means yes is up to the lock: nil does for Redisson's script, OK for SET NX.", "绿色：客户端得到了它要的；红色：没有得到。哪种返回值算成功由锁自己定：Redisson 的脚本返回 nil 是成功，SET NX 返回 OK 才是。"},
		{"jvm-1 or app-1 is the process in which a client runs. All clients of a process pause and crash together.", "jvm-1、app-1 是客户端所在的进程。同一进程里的客户端会一起暂停、一起崩溃。"},
		{"The engine, at the top, is what plays the steps: the servers that come with the playground, or real ones. Choose another, and the same steps are played there.", "页面顶部的引擎决定由谁来执行步骤：演练场自带的服务器，或真实的服务器。换一个引擎，同样的步骤会在那里重放。"},
		{"Every script and every program can be edited. The steps so far are replayed with your text, and the page shows where the story differs.", "每段脚本、每个程序都可以修改。已有的步骤会用你的代码重放，页面会标出故事从哪里开始不同。"},
		{"Step back as you like. Acting in the past starts a branch; the timeline you left is one click away.", "可以随意后退。在过去的某一步操作会产生分支，原来的时间线一键可回。"},
	}
)

// Units, statuses and words.
var (
	unitMilli     = msg{"ms", "毫秒"}
	unitSecond    = msg{"s", "秒"}
	unitMinute    = msg{"min", "分钟"}
	unitHour      = msg{"h", "小时"}
	unitDay       = msg{"days", "天"}
	unitDayShort  = msg{"d", "天"}
	unitYearShort = msg{"y", "年"}
	unitYear      = msg{"years", "年"}
	sentenceEnd   = msg{".", "。"}
	clauseComma   = msg{", ", "，"}
	clauseColon   = msg{": ", "："}
	clauseBreak   = msg{"; ", "；"}
	clauseAnd     = msg{", ", "、"}
	wordBroken    = msg{"rule broken", "规则被破坏"}
	statusWords   = map[string]msg{
		"ready":      {"ready", "就绪"},
		"waiting":    {"waiting", "正在等待"},
		"blocked":    {"waiting at the server", "在服务器端阻塞"},
		"unanswered": {"waiting for a reply", "等待返回"},
		"sleeping":   {"sleeping", "休眠"},
		"paused":     {"paused", "已暂停"},
		"crashed":    {"crashed", "已崩溃"},
		"finished":   {"finished", "已结束"},
		"failed":     {"failed", "已失败"},
	}
)
