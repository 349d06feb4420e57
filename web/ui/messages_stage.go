package ui

// The stage: the code, the timeline and the keys.
var (
	scriptLinesLabel = msg{"Lines of the script, with what Redis answered", "脚本源码，以及 Redis 在各行的返回值"}
	ranOnLine        = msg{"line %d:", "第 %d 行："}

	faultsOfLabel = msg{"Faults of %s", "让 %s 出故障"}

	timelineZoom = msg{"Size of the diagram", "图示大小"}
	zoomLabel    = msg{"Size", "大小"}
)

var zooms = []struct {
	name, sign string
	label      msg
}{
	{"small", "−", msg{"smaller diagram", "缩小图示"}},
	{"normal", "○", msg{"normal size", "恢复正常大小"}},
	{"large", "+", msg{"larger diagram", "放大图示"}},
}
