package ui

// What the diagram says.
var (
	foldedText      = msg{"%s later, not to scale", "过了 %s，未按比例"}
	foldedShort     = msg{"%s later", "过了 %s"}
	keyExpiredShort = msg{"expired", "过期"}
	keyGone         = msg{"%s gone", "%s 没了"}
	keyGoneShort    = msg{"gone", "没了"}
	keyLives        = msg{"lives %s", "还有 %s"}
	keyLeft         = msg{"%s left", "还剩 %s"}
	rowWaits        = msg{"%s waits", "%s 等"}
	rowWait         = msg{"%s wait", "%s 等"}
	rowCommitted    = msg{"committed", "已提交"}
	rowUndone       = msg{"rolled back", "已回滚"}
)
