package ui

import (
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Problem is what an author of a lesson should know: what is wrong, and all that there is to say about it.
func Problem(lang lessons.Lang, p *lessons.Problem) (message, text string) {
	if lang == lessons.En {
		return p.Message.Error(), p.Error()
	}
	labels := lessons.Labels{Warning: "警告：", Hint: "提示：", Want: "应为：", Got: "实际："}
	return Tell(lang, p.Message), p.In(labels, func(f fact.Fact) string { return Tell(lang, f) })
}
