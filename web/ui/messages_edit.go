package ui

// Messages about edits.
var (
	editDo       = msg{"Edit", "修改"}
	editOpen     = msg{"Edit this code (E)", "修改这段代码（E）"}
	editedChip   = msg{"edited", "已修改"}
	editedMark   = msg{" (edited)", "（已修改）"}
	editsLabel   = msg{"Your edits", "你的修改"}
	editsHead    = msg{"Edited: %s.", "已修改：%s。"}
	editsSame    = msg{"No difference up to step %d.", "到第 %d 步为止没有差别。"}
	editsNone    = msg{"No difference yet; one may show as the story goes on.", "目前没有差别，故事继续之后才可能看出来。"}
	editsFrom    = msg{"Differs from step %d: %s.", "从第 %d 步起不同：%s。"}
	editsBack    = msg{"Undo the edit", "还原"}
	editsBackOne = msg{"Undo %s", "还原：%s"}
	editsBackAll = msg{"Undo all edits", "全部还原"}
	editsBackWhy = msg{"The lesson runs as it was written. The timeline with your code stays: “Back to the other code” leads to it.", "课程按原来的代码运行。用你的代码跑出来的时间线会保留，点“回到另一版代码”即可回去。"}
	editsOffered = msg{"Your edit of %s is based on an older version of the text and was not applied.", "你对 %s 的修改基于旧版本的代码，没有生效。"}
	editsLast    = msg{"You edited this lesson last time. It runs as it is written now.", "上次你修改过这节课的代码。现在运行的是原文。"}
	editsAgain   = msg{"Apply my edits", "应用我的修改"}
	editsForget  = msg{"Forget them", "丢弃修改"}
	editsShow    = msg{"Show it", "查看"}
	editsDiscard = msg{"Discard", "丢弃"}

	partScript  = msg{"the script %s", "脚本 %s"}
	partClient  = msg{"the lock client %s", "锁客户端 %s"}
	partProgram = msg{"the program of %s", "%s 的程序"}

	diffRequest   = msg{"%s asks for %s instead of %s", "%s 请求 %s，原来是 %s"}
	diffReply     = msg{"%s got %s instead of %s", "%s 得到 %s，原来是 %s"}
	diffSameReply = msg{"%s gets the same reply, but %s", "%s 得到的返回值相同，但%s"}
	diffTTL       = msg{"the TTL of %s is now %s instead of %s", " %s 的 TTL 现在是 %s，原来是 %s"}
	diffKey       = msg{"%s is now %s instead of %s", " %s 现在是 %s，原来是 %s"}
	diffNotes     = msg{"%s then behaves differently", "%s 之后的行为不同"}
	diffTick      = msg{"different timers become due", "到期的事件不同"}
	diffFault     = msg{"the result is different", "结果不同"}
	diffNotThere  = msg{"without the edit “%s” cannot happen here (%s)", "原来在这里不能%s（%s）"}
	diffNotHere   = msg{"“%s” cannot happen here any more (%s)", "现在这里不能%s（%s）"}
	diffNothing   = msg{"no reply", "没有返回值"}

	compareHead    = msg{"Without the edit", "修改之前"}
	compareFirst   = msg{"The story differs from here on", "故事从这里开始不同"}
	compareHere    = msg{"here", "现在"}
	compareThere   = msg{"without the edit", "原来"}
	compareReply   = msg{"reply", "返回值"}
	compareRequest = msg{"request", "请求"}
	compareGone    = msg{"not there", "不存在"}
	compareBroken  = msg{"rules broken by this step", "这一步破坏的规则"}
	compareNobody  = msg{"none", "无"}

	storyFailedEdit = msg{"With your edit, this is no longer as in the story", "修改之后，这里和故事里不一样了"}
	storyEdited     = msg{"Your edit changes what happens from step %d on. The words of the story are about the original.", "从第 %d 步起，你的修改改变了后面的走向；故事的文字讲的是原来的代码。"}
	placeEditBack   = msg{"Back to the other code", "回到另一版代码"}
	placeEditWhy    = msg{"The timeline with the other code, %d steps", "另一版代码的时间线，共 %d 步"}
)

// The editor itself. {0} stands for what the client fills in.
var (
	editorHead     = msg{"Edit", "修改代码"}
	editorPart     = msg{"What to edit", "要修改的部分"}
	editorScripts  = msg{"Scripts, run by Redis", "脚本（由 Redis 执行）"}
	editorClients  = msg{"Code of the clients", "客户端代码"}
	editorClient   = msg{"%s: lock client", "%s：锁客户端"}
	editorProgram  = msg{"%s: program", "%s：程序"}
	editorApply    = msg{"Apply", "应用"}
	editorApplyKey = msg{"Apply the text and replay the steps so far (Ctrl+Enter or ⌘+Enter)", "应用修改并重放已有步骤（Ctrl+Enter 或 ⌘+Enter）"}
	editorReset    = msg{"Reset", "还原"}
	editorResetWhy = msg{"Restore the original text", "恢复原来的代码"}
	editorDiff     = msg{"Diff", "对比"}
	editorDiffWhy  = msg{"Show what differs from the original", "显示与原文的差别"}
	editorCode     = msg{"Lua code of {0}", "{0} 的 Lua 代码"}
	editorKeys     = msg{"Tab indents. To leave the text, press Esc and then Tab.", "Tab 键用于缩进。要离开编辑区，请先按 Esc，再按 Tab。"}
	editorLoading  = msg{"Loading the editor …", "正在加载编辑器……"}
	editorFailed   = msg{"The editor could not be loaded: {0}. Nothing is lost; close it and try again.", "编辑器加载失败：{0}。没有丢失任何内容，请关闭后重试。"}
	editorOffline  = msg{"The connection is lost. Your text is kept here and can be applied when the connection is back.", "连接已断开：内容保留在这里，恢复连接后即可应用。"}
	editorApplied  = msg{"Applied.", "已应用。"}
	editorIsReset  = msg{"This is the original text.", "这是原来的代码。"}
	editorEmptied  = msg{"An empty text undoes the edit: this is the original again.", "清空即还原：现在是原来的代码。"}
	editorDraft    = msg{"Not applied yet.", "尚未应用。"}
	editorOffered  = msg{"This is your edit of an older version. Apply it, or reset to the original.", "这是你基于旧版本的修改，可以应用它，或还原为原文。"}
	editorErrorAt  = msg{"line {0}: {1}", "第 {0} 行：{1}"}
	editorColumn   = msg{" (column {0})", "（第 {0} 列）"}
	editorCalledBy = msg{"%s runs it with:", "%s 这样调用它："}
	editorCalls    = msg{"It can call:", "可以调用："}
	shareTwo       = msg{"Nothing was copied: two timelines side by side are too long for a link here. Go back to one timeline and share each by itself.", "没有复制：这两条时间线太长，无法放进同一个链接。请退出对比，分别分享。"}
	shareLong      = msg{"Link copied, but without your edits: they are too long for a link.", "链接已复制，但不包含你的修改：内容太长，无法放进链接。"}
)
