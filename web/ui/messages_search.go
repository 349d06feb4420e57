package ui

// Of a search of all schedules.
var (
	searchHead          = msg{"Find a break", "找出漏洞"}
	searchWhy           = msg{"The engine tries one schedule after another, the shortest first, until one breaks a rule of this lesson, there are no more, or there are too many.", "引擎从最短的调度开始逐个尝试，直到某个调度违反本课的规则、全部试完，或者数量超出上限。"}
	searchLabel         = msg{"What may happen", "允许发生什么"}
	searchGo            = msg{"Find a break", "开始找漏洞"}
	searchStop          = msg{"Stop searching", "停止搜索"}
	searchWaits         = msg{"Many visitors are searching. Yours begins as soon as there is memory for it …", "正在搜索的人较多，有内存空出后，你的搜索就会开始……"}
	searchRunning       = msg{"Searching: %d situations so far, up to %d moves deep …", "正在搜索：已试过 %d 种局面，深度 %d 步……"}
	searchAgain         = msg{"None of %d situations breaks. Looking again, with a clock that stops more often: %d so far …", "%d 种局面都没有出错。让时钟停得更密，再搜一遍：已试过 %d 种……"}
	searchNoCulprit     = msg{"No single step made it possible: leave any one of its faults or delays out, and the rule still breaks.", "不是哪一步单独造成的：去掉其中任何一次故障或拖延，这条规则照样会被违反。"}
	searchBreaks        = msg{"“%s” breaks in %d moves, and in no fewer.", "最短 %[2]d 步就会违反“%[1]s”。"}
	searchNobodyStarves = msg{"It holds: whoever wants to get in gets in some time.", "成立：想进入的，最终都能进入。"}
	searchStuck         = msg{"%s: after %d moves nothing can wake it any more.", "%s：走完 %d 步之后，再没有任何事件能唤醒它。"}
	searchRound         = msg{"%s: steps %d to %d can go round and round.", "%s：第 %d 到 %d 步可以无限循环下去。"}
	searchHolds         = msg{"It holds %s: no schedule breaks a rule, however long it is.", "%s，规则就成立：无论调度多长，都不会违反。"}
	searchIfQuick       = msg{"as long as everybody is quick", "只要人人都及时行动"}
	searchIfLate        = msg{"as long as nobody is later than %s", "只要谁都不拖延超过 %s"}
	searchIfAny         = msg{"however late anybody is", "不管谁拖延多久"}
	searchStoryLate     = msg{"The story broke a rule because somebody was late: try “%s”.", "故事里违反规则，是因为有人拖延了：试试“%s”。"}
	searchStops         = msg{"Not decided: nothing breaks in %d moves or fewer, and there the search stopped: %s.", "没有结论：%d 步以内不会违反规则，更长的没有搜完：%s。"}
	searchLost          = msg{"Not repaired: no rule breaks, but the edits broke something else: %s.", "还没修好：虽然不再违反规则，但修改弄坏了别的东西：%s。"}
	searchOriginal      = msg{"The code is still as it was. ", "代码还是原来的。"}
	searchUnapplied     = msg{"About the code before your edit, which is not applied yet.", "这是修改之前的结论：你的修改尚未应用。"}
	searchAssumed       = msg{"Assumed: %s; nothing fails.", "前提：%s；没有故障。"}
	searchAssumedFaults = msg{"Assumed: %s; at most these faults: %s.", "前提：%s；最多发生这些故障：%s。"}
	searchCulprit       = msg{"Step %d: %s. That made it possible: without it, the rule holds.", "关键是第 %d 步：%s。没有它，这条规则就不会被违反。"}
	searchLate          = msg{"Step %d made it possible: time passed while somebody could have acted. If nobody is late, the rule holds.", "关键是第 %d 步：有人本可以行动，时间却先流逝了。只要没有人拖延，这条规则就不会被违反。"}
	weakestBreaks       = msg{"Enough to break it: %s.", "下列任一情况就足以违反规则：%s。"}
	weakestAnyhow       = msg{"It breaks even if all begin at once, nobody is late and nothing fails.", "即使所有客户端同时开始、谁都不拖延、没有任何故障，也会违反规则。"}
	weakestHolds        = msg{"It holds %s.", "下列任一情况下规则都成立：%s。"}
	weakestCoarse       = msg{"With more stops of the clock, not all of that was searched.", "让时钟停得更密，这一结论还没有全部搜完。"}
	weakestHoldsWith    = msg{"It holds even if there may be %s.", "即使允许%s，规则也成立。"}
	weakestHoldsBare    = msg{"It holds if all begin at once, nobody is late and nothing fails.", "所有客户端同时开始、谁都不拖延、没有故障时，规则成立。"}
	weakestOpen         = msg{"Not decided, as a search was too long: %s.", "搜索量太大，以下情况没有结论：%s。"}
	weakestOr           = msg{"; or ", "；"}
	weakestAnd          = msg{" and ", "，加上"}
	weakestAny          = msg{"delays of any length", "任意长的拖延"}
	weakestLate         = msg{"delays of up to %s", "不超过 %s 的拖延"}
	weakestArrive       = msg{"clients that begin at any time", "客户端在任意时刻开始"}
	weakestNoFault      = msg{"with no fault", "没有故障"}
	weakestOnly         = msg{"with no more than %s", "最多只有%s"}
	weakestAtOnce       = msg{"if all begin at once and nobody is late", "所有客户端同时开始且谁都不拖延"}
	weakestWhenever     = msg{"if each begins at any time", "客户端可在任意时刻开始"}
	weakestPunctual     = msg{"if nobody is late", "谁都不拖延"}
	weakestOne          = msg{"one %s", "一次%s"}
	weakestMany         = msg{"%d × %s", "%d 次%s"}
	weakestFinding      = msg{"Looking for the least that makes it possible …", "正在查找最少需要允许什么……"}
	culpritMark         = msg{"without this it holds", "没有这一步就不会出错"}
	culpritLateMark     = msg{"without this pause it holds", "不拖延就不会出错"}
	searchYours         = msg{"Your own way took %d moves; the shortest that was found takes %d.", "你用了 %d 步；找到的最短只要 %d 步。"}
	searchTold          = msg{"The story took %d moves; the shortest way that was found takes %d.", "故事用了 %d 步；找到的最短只要 %d 步。"}
	searchToldBest      = msg{"The story took %d moves. No shorter way was found.", "故事用了 %d 步，没有找到更短的。"}
	searchPlayed        = msg{"It is on the timeline now.", "它已经放到时间线上。"}
	searchForked        = msg{"It is on the timeline now. What was there before is a branch.", "它已经放到时间线上；原来的步骤成了一条分支。"}
	searchYoursBest     = msg{"Your own way took %d moves. No shorter one was found.", "你用了 %d 步，没有找到更短的。"}

	treeTick    = msg{"time passes", "时间流逝"}
	treeSoFar   = msg{"situations so far", "种局面已试过"}
	treeDeep    = msg{"moves deep", "步深"}
	treeTried   = msg{"situations tried", "种局面试过"}
	treeBreaks  = msg{"moves break it, and no fewer", "步就会出错，不能再少"}
	treeStarves = msg{"moves, and somebody can wait for ever", "步之后，可能有人永远等下去"}
	treeHolds   = msg{"situations tried, none breaks", "种局面全部试过，没有一种出错"}
	treeAgain   = msg{"looked at again, with a clock that stops more often", "种局面，让时钟停得更密，再搜一遍"}
	treeStops   = msg{"situations tried, none breaks so far", "种局面试过，至今没有出错"}
	treeBranch  = msg{"First %s: %d tried", "先 %s：试过 %d 种"}
	treeWay     = msg{"The way to the break", "通向出错的每一步"}

	askArrive = msg{"Everybody is quick", "人人都及时行动"}
	askAny    = msg{"Anybody may be late", "谁都可能拖延"}
	askStarve = msg{"Does anybody wait for ever?", "有没有人永远等不到？"}
	askFaults = msg{", each fault once", "，每种故障一次"}

	verdictNothing = msg{"No rule broke in this story.", "这个故事里没有违反规则。"}
	verdictMoves   = msg{"%d moves are enough to break it.", "%d 步就足以出错。"}
	allDoneHead    = msg{"That was the last lesson.", "这是最后一课。"}
	allDoneTally   = msg{"In this browser you finished {0} of {1} lessons and solved {2} challenges.", "在这个浏览器里，你学完了 {1} 课中的 {0} 课，完成了 {2} 个挑战。"}
	allDoneAttach  = msg{"Now attach your own service: let it use this Redis in place of its own, and see here what its clients do.", "接下来，接入你自己的服务：让它改用这个 Redis，就能在页面上看到它的客户端在做什么。"}
	allDoneWhere   = msg{"Clients then connect to 127.0.0.1:6380. More is in docs/ATTACH.md.", "随后让客户端连接 127.0.0.1:6380。详见 docs/ATTACH.md。"}

	challengeBreak  = msg{"Break it yourself", "亲手让它出错"}
	challengeRecord = msg{"Break it yourself (record: %d moves)", "亲手让它出错（纪录：%d 步）"}
	challengeSee    = msg{"See it happen", "看它怎样发生"}
	challengeMend   = msg{"Repair it", "动手修复"}
	challengeEdit   = msg{"Open the code and repair it", "打开代码，动手修复"}
	challengeOn     = msg{"Next lesson: %s", "下一课：%s"}

	challengeRepair   = msg{"Check the repair", "检查修复"}
	challengeRepaired = msg{"Repaired: no searched schedule breaks a rule.", "修好了：搜过的调度都不再违反规则。"}
	challengeGiven    = msg{"One way to repair it is in the code now.", "代码里现在是一种修复方法。"}
	challengeShortest = msg{"You took %d moves; the shortest way that was found takes %d.", "你用了 %d 步；找到的最短只要 %d 步。"}
	challengeBest     = msg{"You took %d moves. No shorter way was found.", "你用了 %d 步，没有找到更短的。"}
)
