package ui

// The Author view. {0} stands for what the client fills in.
var (
	authorOpen      = msg{"Author", "编写"}
	authorOpenWhy   = msg{"Read and change the lesson’s text beside the page (W)", "在页面旁查看并修改课程源文件（W）"}
	authorBegin     = msg{"Write a lesson", "自己写一课"}
	authorDraftChip = msg{"draft", "草稿"}
	authorHead      = msg{"Lesson text", "课程源文件"}
	authorFiles     = msg{"Files", "文件"}
	authorAdd       = msg{"Add file", "添加文件"}
	authorAddName   = msg{"Another file: a script of the lesson, or a lock client in clients/", "新文件：本课的脚本，或 clients/ 下的锁客户端"}
	authorRemove    = msg{"Remove file", "移除文件"}
	authorRemoveWhy = msg{"Remove this file from the draft; it has not been saved yet", "从草稿中移除这个尚未保存的文件"}
	authorBadFile   = msg{"A file name looks like unlock.lua or clients/mine.lua.", "文件名应形如 unlock.lua 或 clients/mine.lua。"}
	authorName      = msg{"Name", "名称"}
	authorNameWhy   = msg{"The lesson’s folder: lower-case letters, digits and -, with a number in front if you want to choose its position", "课程目录名：小写字母、数字和 -；想指定位置时可在前面加编号"}
	authorText      = msg{"Text of {0}", "{0} 的内容"}
	authorExport    = msg{"Export", "导出"}
	authorExportWhy = msg{"Download the lesson’s folder as a zip file that playground check reads", "把课程目录打包下载（zip），可直接用 playground check 检查"}
	authorSave      = msg{"Save", "保存"}
	authorSaveWhy   = msg{"Write the files of the lesson on the server, for everybody", "写入服务器上的课程文件，对所有人生效"}
	authorCreateWhy = msg{"Create the lesson on the server, for everybody: in the first --lessons folder, with the next free number unless you chose one", "在服务器上新建这一课，对所有人生效：写入第一个 --lessons 目录，未指定编号时使用下一个空闲编号"}
	authorSaved     = msg{"Saved.", "已保存。"}
	authorFill      = msg{"Fill in", "自动填写"}
	authorFillWhy   = msg{"Write what the story does and what searches find into the text, as playground check --fix does", "像 playground check --fix 那样，把故事的实际结果和搜索得出的结论写入文本"}
	authorFilling   = msg{"Searching for what to fill in …", "正在搜索要填写的内容……"}
	authorFilled    = msg{"Filled in. The changes are marked: review them, what happens need not be right. Ctrl+Z takes them back.", "已填写，改动处有标记。请检查：实际结果不一定是对的。按 Ctrl+Z 可撤销。"}
	authorTyped     = msg{"Nothing was filled in, since the text has changed meanwhile. Press it again.", "其间文本有改动，所以没有填写。请再按一次。"}
	authorFull      = msg{"Nothing to fill in. What is listed as a mistake is for you to put right.", "没有要填写的内容。列出的错误需要你自己改正。"}
	authorResetWhy  = msg{"Restore the original text", "恢复原来的内容"}
	authorProblems  = msg{"What playground check says", "playground check 的结果"}
	authorKeys      = msg{"Ctrl+S saves, or exports where saving is not possible. Tab indents. Esc leaves the text; Esc again closes.", "Ctrl+S 保存，不能保存时则导出。Tab 键用于缩进；按 Esc 离开编辑区，再按一次关闭。"}
	authorOriginal  = msg{"This is the original text.", "这是原来的内容。"}
	authorPlays     = msg{"The page plays your draft. It is stored in this browser only.", "页面正在运行你的草稿，草稿保存在当前浏览器中。"}
	authorMistakes  = msg{"Mistakes: {0}. The page still shows the last good version.", "有 {0} 处错误，页面仍是上一个可用版本。"}
	authorUnmet     = msg{"Mistakes: {0}. The page plays your draft all the same.", "有 {0} 处错误，页面仍在运行你的草稿。"}
	authorStale     = msg{"The original has changed since you began this draft. Press Reset to see it.", "开始写这份草稿之后，原文已有更新。点“还原”可查看新的原文。"}
	authorOffline   = msg{"The connection is lost. Your text is kept here and will be played when the connection is back.", "连接已断开：内容保留在这里，恢复连接后会继续运行。"}
	authorNotShared = msg{"Link copied. It shows the lesson without your draft, which is stored in this browser only. To share the draft, export it.", "链接已复制，但不包含你的草稿：草稿只保存在当前浏览器中，需要分享时请导出。"}
	authorNotKept   = msg{"This browser cannot store the draft (its storage is full or turned off). Export it before you leave.", "浏览器无法保存草稿（存储已满或被禁用），离开前请先导出。"}
)
