package ui

// Messages about classes.
var (
	classOpen       = msg{"Open as a class", "开设课堂"}
	classJoin       = msg{"Join a class", "加入课堂"}
	classCode       = msg{"Code of the class", "课堂代码"}
	classEnter      = msg{"Enter", "进入"}
	classDoor       = msg{"A class about “%s”", "课堂：%s"}
	classNames      = msg{"Your name, as the teacher sees it", "你的名字（老师会看到）"}
	classGo         = msg{"Join", "加入"}
	classNoStore    = msg{"There is no account. The class and your name are gone a day after it ends.", "不需要账号。课堂结束一天后，课堂和你的名字都会删除。"}
	classTitle      = msg{"Class %s", "课堂 %s"}
	classHow        = msg{"Learners open %s and enter the code, or open this address:", "学生打开 %s 并输入代码，或直接打开："}
	classLocal      = msg{"No other machine can open this address. Open the playground by this machine's address in your network, and the class there: serve --addr 0.0.0.0:8080", "其他机器打不开这个地址。请用本机在局域网中的 IP 地址打开本站，再在那里开设课堂：serve --addr 0.0.0.0:8080"}
	classQR         = msg{"QR code of the address of this class", "本课堂地址的二维码"}
	classLesson     = msg{"Open the lesson", "打开课程"}
	classWay        = msg{"Who goes where", "进行方式"}
	classFree       = msg{"Everybody plays", "自由操作"}
	classLead       = msg{"All follow me", "全班跟随老师"}
	classPace       = msg{"Nobody beyond step", "最多到第几步"}
	classLimit      = msg{"Last step", "最后一步"}
	classHide       = msg{"Hide names", "隐藏名字"}
	classShut       = msg{"Nobody new joins", "不再接受新成员"}
	classEnd        = msg{"End the class", "结束课堂"}
	classEndSure    = msg{"End the class for everybody?", "要为所有人结束课堂吗？"}
	classOver       = msg{"The class has ended. What happened stays here, and as a file, for a day.", "课堂已结束。记录在这里保留一天，也可以下载。"}
	classFile       = msg{"What happened, as a file", "下载课堂记录"}
	classNobody     = msg{"Nobody has joined yet.", "还没有人加入。"}
	classLearners   = msg{"Learners", "学生"}
	classCount      = msg{"{0} learners", "{0} 名学生"}
	classLearner    = msg{"Learner {0}", "学生 {0}"}
	classStep       = msg{"step {0}", "第 {0} 步"}
	classStill      = msg{"there for {0} min", "已停留 {0} 分钟"}
	classSolved     = msg{"solved", "已完成挑战"}
	classEnded      = msg{"at the end", "已学完"}
	classBroke      = msg{"broke it", "打破了锁"}
	classShow       = msg{"Show to all", "给全班看"}
	classRemove     = msg{"Remove", "移出"}
	classRemoveSure = msg{"Take {0} out of the class? They cannot join it again from that browser.", "要把 {0} 移出课堂吗？移出后，对方无法再用同一个浏览器加入。"}
	classLook       = msg{"Open", "打开"}
	classPoll       = msg{"Question", "提问"}
	classAnswered   = msg{"{0} of {1} have answered", "{1} 人中 {0} 人已回答"}
	classReveal     = msg{"Show the answers", "公布结果"}
	classNoPoll     = msg{"In the lesson, at a prediction, choose “Ask the class”.", "在课程中走到预测题时，点“向全班提问”。"}
	classHeat       = msg{"Where guesses were wrong", "猜错的地方"}
	classHeatRow    = msg{"{0}, sentence {1}: {2} wrong, {3} right", "{0}，第 {1} 句：{2} 人猜错，{3} 人猜对"}
	classRace       = msg{"Who broke it in the fewest moves", "谁用最少的步数打破了锁"}
	classRaceRow    = msg{"{0}: {1} moves", "{0}：{1} 步"}
	classNone       = msg{"Nothing yet.", "暂无。"}

	classAsk      = msg{"Ask the class", "向全班提问"}
	classWall     = msg{"Wall", "课堂面板"}
	classLeave    = msg{"Leave the class", "退出课堂"}
	classYou      = msg{"You are {0}.", "你是 {0}。"}
	classIsLed    = msg{"You see what the teacher sees.", "你看到的就是老师的画面。"}
	classIsFree   = msg{"Play as you like.", "可以自由操作。"}
	classIsPaced  = msg{"The class goes to step {0} for now.", "目前全班最多走到第 {0} 步。"}
	classIsAsked  = msg{"The teacher asks: choose an answer.", "老师提问：请选择答案。"}
	classIsGiven  = msg{"Your answer is in. The teacher shows the result.", "已收到你的答案，等老师公布结果。"}
	classIsClosed = msg{"The teacher has ended this class. You can go on alone.", "老师已结束课堂，你可以自己继续。"}
	classShows    = msg{"The teacher shows a schedule of {0}", "老师展示 {0} 的调度"}
	classSomebody = msg{"a learner", "一位同学"}
	classLost     = msg{"The class cannot be reached; trying again …", "连不上课堂，正在重试……"}
	classResult   = msg{"What the class answered", "全班的回答"}
	classRegion   = msg{"Class", "课堂"}
)
