package ui

import (
	"lockstep/engine/fact"
	"lockstep/lessons"
)

// Problem is what an author of a lesson should know: what is wrong, and all that there is to say about it. Of what has
// English words alone a page in another language names the kind first.
func Problem(lang lessons.Lang, p *lessons.Problem) (message, text string) {
	if lang == lessons.En {
		return p.Message, p.Error()
	}
	told := *p
	tell := func(f fact.Fact, english *string) {
		if f.Code != "" {
			*english = Tell(lang, f)
		}
	}
	told.Message = problemKinds[p.Code] + "：" + p.Message
	tell(p.Facts.Message, &told.Message)
	tell(p.Facts.Advice, &told.Advice)
	tell(p.Facts.Want, &told.Want)
	tell(p.Facts.Got, &told.Got)
	return told.Message, told.With(lessons.Labels{Warning: "警告：", Hint: "提示：", Want: "应为：", Got: "实际："})
}

// problemKinds are the kinds of problems in Chinese; lessons.Codes has them in English.
var problemKinds = map[lessons.Code]string{
	lessons.CodeFile:            "文件缺失、读不了，或者不是文本",
	lessons.CodeYAML:            "不是 YAML，或者用了课程不允许的写法",
	lessons.CodeLimit:           "超出课程允许的数量、长度或层数",
	lessons.CodeUnknownKey:      "没有这个键",
	lessons.CodeDuplicateKey:    "键重复",
	lessons.CodeMissingKey:      "缺少必需的键",
	lessons.CodeKind:            "类型不对",
	lessons.CodeName:            "名字里有不允许的字符",
	lessons.CodeUnknownName:     "没有这个名字",
	lessons.CodeDuplicateName:   "名字重复",
	lessons.CodeValue:           "这个值不能写在这里",
	lessons.CodeLua:             "Lua 无法编译",
	lessons.CodeRefused:         "内置引擎与真实服务器的行为不同，不能使用",
	lessons.CodeProse:           "文本里有 HTML、图片或不安全的链接",
	lessons.CodeFaultNotAllowed: "课程的 faults 不允许这个故障",
	lessons.CodeCircle:          "课程互相依赖",
	lessons.CodeMissingLanguage: "只有一种语言的文本",
	lessons.CodeUnmet:           "与 expect 不符",
	lessons.CodeCannotHappen:    "这一步此刻不能执行",
	lessons.CodeProgramFailed:   "程序在第一个请求之前就失败了",
	lessons.CodeNoAnswer:        "问题的答案查不到",
	lessons.CodeOptions:         "选项里没有正确答案，或者有重复",
	lessons.CodeNotTheSame:      "同样的步骤，结果却不同",
	lessons.CodeEngine:          "引擎或课程的 Lua 无法继续",
	lessons.CodeGoal:            "挑战的目标一开始就达到了，或者无法判断",
	lessons.CodeSolution:        "挑战的 solution 达不到目标",
	lessons.CodeUnproven:        "搜索没有证实",
	lessons.CodeProvesNothing:   "整课没有任何 expect",
	lessons.CodeExpectsNothing:  "有操作，却没有 expect",
	lessons.CodeIdleInvariant:   "故事和解法都不可能违反的规则",
	lessons.CodeIdleActor:       "从不执行的客户端",
	lessons.CodeUnusedScript:    "从不运行的脚本",
	lessons.CodeUnusedFault:     "从没用到的故障",
	lessons.CodeLongSolution:    "达到目标之后 solution 还在继续",
	lessons.CodeIdleExpect:      "预期或问题说的东西从没出现过",
	lessons.CodeMeanings:        "KEYS 或 ARGV 的说明与调用时的个数不符",
	lessons.CodeUnusedNode:      "从没用到的节点",
	lessons.CodeOneDraw:         "程序每次运行得到的随机数都相同",
	lessons.CodeUndated:         "事故课缺少原因、影响版本或修复版本",
	lessons.CodeNoVersions:      "列了来源，却没写适用的版本",
	lessons.CodeLongLead:        "第一句太长",
	lessons.CodeNotCloser:       "就搜索到的范围而言成立；时钟停得更密时，搜索达到了上限",
	lessons.CodeOffClock:        "时间不是时钟步长的整数倍",
}
