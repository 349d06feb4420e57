package ui

// Branches, and two timelines side by side.
var (
	branchesLabel = msg{"Branches", "分支"}
	branchesNone  = msg{"There is one timeline so far. Step back and choose another move: what came after is kept here, also for your next visit.", "目前只有一条时间线。后退几步，换一种选择：原来的后续会保留在这里，下次打开时也还在。"}
	branchHere    = msg{"This timeline", "当前时间线"}
	afterStep     = msg{"After step %d: %s", "第 %d 步之后：%s"}
	branchShorter = msg{"Ends after step %d", "到第 %d 步为止"}
	branchesKept  = msg{"This browser keeps them for your next visit.", "这些分支会保存在此浏览器中，下次打开时还在。"}
	branchesDrop  = msg{"Forget the others", "清除其他分支"}
	branchEdited  = msg{"With other code", "另一版代码"}
	branchBroken  = msg{"a rule breaks at step %d", "第 %d 步违反规则"}
	besideEngine  = msg{"Beside %s", "与 %s 并排对比"}
	besideLabel   = msg{"Side by side", "并排对比"}
	besideEnd     = msg{"Back to one timeline", "退出对比"}
	besideAll     = msg{"The same in all %d steps.", "全部 %d 步都相同。"}
	besideUntil   = msg{"The same up to step %d; they part at step %d.", "前 %d 步相同，从第 %d 步开始不同。"}
	besideFirst   = msg{"They part at the first step.", "从第一步就不同。"}
	besideNothing = msg{"Make a step: the same will happen on both sides.", "走一步看看：两边会执行同样的操作。"}
	besideEnds    = msg{"ends here", "到此为止"}
	besideCannot  = msg{"cannot go on here", "这里无法继续"}
	besideStopped = msg{"“%s” cannot happen here: %s", "这里无法执行“%s”：%s"}
	besideAfter   = msg{"What is different after step %d", "第 %d 步之后的不同之处"}
)

// Off the story.
var (
	offInside        = msg{"%s is inside %s. Its key expires in %s.", "%s 在 %s 里，它的 key 还剩 %s。"}
	offInsideForever = msg{"%s is inside %s, with a key that never expires.", "%s 在 %s 里，它的 key 没有过期时间。"}
	offInsideBare    = msg{"%s is inside %s.", "%s 在 %s 里。"}
	offInsideGone    = msg{"%s is inside %s, and the key %s is gone.", "%s 在 %s 里，但 key %s 已经没有了。"}
	offInsideTaken   = msg{"%s is inside %s, and the key %s is not its own any more.", "%s 在 %s 里，但 key %s 已经不是它的了。"}
	offCrashed       = msg{"%s is gone: %s has crashed.", "%s 已经不在了：%s 已崩溃。"}
	offPaused        = msg{"%s: %s is paused and stands still.", "%s：%s 已暂停，停住不动。"}
	offPausedLease   = msg{"%s: %s is paused and stands still, and the time of its key runs on.", "%s：%s 已暂停，停住不动，而它的 key 照样在倒计时。"}
	offPausedOver    = msg{"%s: %s is paused and stands still, and its lease is over.", "%s：%s 已暂停，停住不动，而租期已经结束。"}
	offWaitsUntil    = msg{"%s wants %s and waits, at most until %s.", "%s 想要 %s，正在等待，最晚等到 %s。"}
	offWaits         = msg{"%s wants %s and waits to be woken.", "%s 想要 %s，正在等待唤醒。"}
	offSleepsUntil   = msg{"%s wants %s and sleeps until %s.", "%s 想要 %s，休眠到 %s。"}
	offWantsNext     = msg{"%s wants %s. What it does next: %s.", "%s 想要 %s，它的下一步是：%s。"}
	offHead          = msg{"How things stand", "现在的情况"}
	offInstead       = msg{"In the story, step %d is: %s.", "按故事，第 %d 步应是：%s。"}
)

// A breach.
var (
	breachWhyButton = msg{"Why?", "为什么会这样？"}
	breachCauses    = msg{"The steps that led there", "一步步怎么走到这里的"}
	ruleUnsaid      = msg{"The lesson has no words for this rule, only its code: %s", "课程没有用文字说明这条规则，只有代码：%s"}
)

// What can be taken along.
var (
	shareMore        = msg{"Present, save or embed", "演示、保存或嵌入"}
	shareItemPresent = msg{"Present (P)", "演示模式（P）"}
	shareItemSVG     = msg{"Save the timeline as SVG", "把时间线保存为 SVG"}
	shareItemPNG     = msg{"Save the timeline as PNG", "把时间线保存为 PNG"}
	shareItemText    = msg{"Save the trace as text", "把执行记录保存为文本"}
	shareItemJSON    = msg{"Save the trace as JSON", "把执行记录保存为 JSON"}
	shareItemEmbed   = msg{"Copy the code to embed it", "复制嵌入代码"}
	shareEmbedded    = msg{"Copied: paste it into a page of yours.", "已复制：粘贴到你的网页即可。"}
	shareNotEmbedded = msg{"The code could not be copied. The address for a frame is {0}", "无法复制。嵌入用的地址是 {0}"}
	shareOpen        = msg{"Open in Lockstep", "在 Lockstep 中打开"}
	shareEndPresent  = msg{"End", "结束演示"}
)
