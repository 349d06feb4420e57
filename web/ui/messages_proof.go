package ui

// Of what an author's text claims, and whether that is true.
var (
	proofGo        = msg{"Prove", "证明"}
	proofGoWhy     = msg{"Search all schedules for each verdict and each repair of the lesson, as playground check does", "像 playground check 那样搜索所有调度，逐一验证本课的断言和修复"}
	proofRunning   = msg{"Proving %d of %d: %d situations so far, up to %d moves deep …", "正在证明第 %d 项，共 %d 项：已试过 %d 种局面，深度 %d 步……"}
	proofOpen      = msg{"Not proven yet: %s.", "尚未证明：%s。"}
	proofFalse     = msg{"False: %s.", "不成立：%s。"}
	proofTrue      = msg{"Proven: %s.", "已证明：%s。"}
	proofVerdicts  = [...]msg{{"%d verdict", "%d 条断言"}, {"%d verdicts", "%d 条断言"}} // one, or more
	proofRepairs   = [...]msg{{"%d repair", "%d 个修复"}, {"%d repairs", "%d 个修复"}}
	rulesHead      = msg{"Rules", "规则"}
	rulesSearch    = msg{"Search", "搜索"}
	rulesSearchWhy = msg{"Search all schedules for the shortest that breaks this rule, under the assumption of the lesson’s verdict about it, else with each fault once", "搜索违反这条规则的最短调度；前提取本课对该规则的断言，没有断言时每种故障允许一次"}
)
