package recording

import "fmt"

// words are said in both languages, as Markdown.
type words struct{ en, zh string }

// The words of a lesson that was recorded.
var (
	titleOfClients   = words{"Recorded clients", "录制的客户端"}
	summaryOfClients = words{
		"What real clients sent to playground attach, as it was recorded: the programs send what was sent.",
		"真实客户端发给 playground attach 的内容，按录制的原样：程序发送的就是当时发送的内容。",
	}
	summaryOfTest = words{
		"A schedule of this test that breaks an invariant, as it was recorded: the programs send what was sent.",
		"这个测试中打破不变量的一个调度，按录制的原样：程序发送的就是当时发送的内容。",
	}
	sayLost = words{
		"The server does it, and the connection breaks before the reply is there.",
		"服务器执行了请求，但连接在回复到达之前就断了。",
	}
	sayMixed  = words{"Somebody reads while somebody else writes.", "有人在写的时候，还有人在读。"}
	sayUnseen = words{"It is paused before it sees the reply.", "它在看到回复之前被暂停了。"}
)

// heading is the title and the summary of the lesson.
func (w *writer) heading() (title, summary words) {
	title, summary = titleOfClients, summaryOfClients
	if w.Test != "" {
		title, summary = words{w.Test, w.Test}, summaryOfTest
	}
	if w.leftOut > 0 {
		summary.en += fmt.Sprintf(" Left out are commands: %d.", w.leftOut)
		summary.zh += fmt.Sprintf("有 %d 条命令未收录。", w.leftOut)
	}
	return title, summary
}
