package ui

import (
	"fmt"
	"regexp"

	"lockstep/engine"
	"lockstep/lessons"
)

var unmetLine = msg{"%s: expected %s, here %s", "%s：应为 %s，实际为 %s"}

// unmetTexts say in Chinese what the check of a lesson says in English. The groups
// of a pattern are the arguments of its translation.
var unmetTexts = []struct {
	en *regexp.Regexp
	zh string
}{
	{regexp.MustCompile(`^reply$`), "返回值"},
	{regexp.MustCompile(`^key (.+) on (.+)$`), "%[2]s 上的键 %[1]s"},
	{regexp.MustCompile(`^key (.+)'s TTL$`), "键 %s 的 TTL"},
	{regexp.MustCompile(`^key (.+)$`), "键 %s"},
	{regexp.MustCompile(`^inside (.+)$`), "在 %s 中的客户端"},
	{regexp.MustCompile(`^status of (.+)$`), "%s 的状态"},
	{regexp.MustCompile(`^messages$`), "送达的消息"},
	{regexp.MustCompile(`^woke$`), "醒来的客户端"},
	{regexp.MustCompile(`^broken$`), "被破坏的规则"},
	{regexp.MustCompile(`^program of (.+)$`), "%s 的程序"},
	{regexp.MustCompile(`^it exists$`), "存在"},
	{regexp.MustCompile(`^there is no such key$`), "不存在"},
	{regexp.MustCompile(`^there is no such actor now$`), "已经没有这个客户端"},
	{regexp.MustCompile(`^gone$`), "已删除"},
	{regexp.MustCompile(`^(?:nobody|none|nothing)$`), "无"},
	{regexp.MustCompile(`^no reply$`), "没有返回值"},
	{regexp.MustCompile(`^it goes on$`), "继续运行"},
	{regexp.MustCompile(`^it failed: (.+)$`), "失败：%s"},
	{regexp.MustCompile(`^an error with (.+)$`), "包含 %s 的错误"},
	{regexp.MustCompile(`^a (string|hash|list|set|zset|stream)$`), "%s 类型"},
	{regexp.MustCompile(`^ready$`), "就绪"},
	{regexp.MustCompile(`^waiting$`), "等待消息"},
	{regexp.MustCompile(`^sleeping$`), "休眠"},
	{regexp.MustCompile(`^paused$`), "已暂停"},
	{regexp.MustCompile(`^crashed$`), "已崩溃"},
	{regexp.MustCompile(`^finished$`), "已结束"},
	{regexp.MustCompile(`^failed$`), "已失败"},
}

// brokenDetail is a broken invariant in the words of the check.
var brokenDetail = regexp.MustCompile(`^([a-z-]+) \((.+)\)$`)

// unmetText is an expectation of the lesson that did not come true.
func unmetText(lang lessons.Lang, u lessons.Unmet) string {
	return unmetLine.in(lang, unmetWord(lang, u.What), clip(unmetWord(lang, u.Want), 80), clip(unmetWord(lang, u.Got), 80))
}

func unmetWord(lang lessons.Lang, text string) string {
	if m := brokenDetail.FindStringSubmatch(text); m != nil && invariantTexts[m[1]].name.en != "" {
		broken := engine.Violation{Invariant: m[1], Detail: m[2]}
		return invariantName(lang, m[1]) + " (" + violationText(lang, broken) + ")"
	}
	if lang != lessons.Zh {
		return text
	}
	for _, t := range unmetTexts {
		if m := t.en.FindStringSubmatch(text); m != nil {
			args := make([]any, len(m)-1)
			for i, group := range m[1:] {
				args[i] = group
			}
			return fmt.Sprintf(t.zh, args...)
		}
	}
	return text
}
