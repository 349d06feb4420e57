package player

import (
	"fmt"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/web/ui"
)

// messages are the player's messages in one language.
type messages struct {
	zh bool

	nothingLoaded, noNext, noGhost, sameEngine, noQuestion, noChallenge, otherVersion, filesBroken string
}

var inEnglish = messages{
	nothingLoaded: "no lesson is open yet: send load first",
	noNext:        "The story has no next step here: make a choice, or go back to the story.",
	noGhost:       "There is no other timeline to go back to.",
	sameEngine:    "both are the same engine now",
	noQuestion:    "There is no question here.",
	noChallenge:   "This lesson has no challenge.",
	filesBroken:   "The lesson's files have mistakes now. You see its last good version.",
	otherVersion:  "This link was made with another version of the lesson. All of its steps still work, but their results may differ.",
}

var inChinese = messages{
	zh:            true,
	nothingLoaded: "还没有打开课程：请先发送 load",
	noNext:        "故事在这里没有下一步：请自己选择，或回到故事。",
	noGhost:       "没有可以返回的其他时间线。",
	sameEngine:    "两边已经是同一个引擎",
	noQuestion:    "这里没有提问。",
	noChallenge:   "本课没有挑战。",
	filesBroken:   "课程文件现在有错误，页面显示的是上一个可用版本。",
	otherVersion:  "这个链接来自课程的另一个版本。其中的每一步仍然可以执行，但结果可能已经不同。",
}

func (s *Session) messages() messages {
	if s.lang == lessons.Zh {
		return inChinese
	}
	return inEnglish
}

func (t messages) lang() lessons.Lang {
	if t.zh {
		return lessons.Zh
	}
	return lessons.En
}

func (t messages) say(en, zh string, args ...any) string {
	if t.zh {
		return fmt.Sprintf(zh, args...)
	}
	return fmt.Sprintf(en, args...)
}

func (t messages) unknownOp(op string) string {
	return t.say("there is no command %q", "没有 %q 这个命令", clip(op))
}

func (t messages) missing(field string) string {
	return t.say("the command needs %q", "命令缺少 %q", field)
}

func (t messages) noLesson(name string) string {
	return t.say("There is no lesson %q.", "没有 %q 这一课。", clip(name))
}

func (t messages) noEngine(kind string) string {
	return t.say("There is no engine %q.", "没有 %q 这个引擎。", clip(kind))
}

func (t messages) noThread(name string) string {
	return t.say("There is no thread %q here.", "这里没有线程 %q。", clip(name))
}

func (t messages) badHz(hz float64) string {
	return t.say("the speed must be from %[2]g to %[3]d steps per second, not %[1]g", "无法每秒播放 %g 步：最少 %g 步，最多 %d 步", hz, MinHz, MaxHz)
}

func (t messages) badAnswer(most int) string {
	return t.say("A prediction may be %d bytes long.", "预测最多 %d 字节。", most)
}

func (t messages) badChoice(err error) string {
	return t.say("That cannot be done: %s.", "无法执行：%s。", t.errorText(err))
}

func (t messages) notEnabled(err *engine.NotEnabledError) string {
	return t.say("%s.", "%s。", t.errorText(err))
}

func (t messages) badSchedule(err error) string {
	return t.say("The link's schedule cannot be read, so the lesson starts from the beginning: %s.", "无法读取链接中的步骤，课程从头开始：%s。", t.errorText(err))
}

// stopsAt describes a schedule that could not be played to its end.
func (t messages) stopsAt(step int, c engine.Choice, why error) string {
	return t.say("The schedule stops before step %d: %q cannot happen there (%s).",
		"第 %d 步无法执行 %q（%s），已播放到这一步之前。", step, c, t.errorText(why))
}

// errorText is an error as the session's language has it.
func (t messages) errorText(err error) string { return ui.Tell(t.lang(), err) }

func (t messages) stepFailed(step int, err error) string {
	return t.say("Step %d did not happen: %s. Nothing is lost: try again, or switch the engine.",
		"第 %d 步没有发生：%s。没有丢失任何内容：请重试，或切换引擎。", step, t.errorText(err))
}

func (t messages) nothingRan(step int) string {
	if step == 0 {
		return t.say("Nothing has run yet: make a step first.", "还没有执行任何代码：请先走一步。")
	}
	return t.say("Step %d ran no code, neither in Redis nor in a client.", "第 %d 步没有执行任何代码，Redis 端和客户端都没有。", step)
}

func (t messages) noLines(script string) string {
	return t.say("The lines of %s cannot be shown: its code cannot be followed line by line, or it has no lines.",
		"无法逐行查看 %s：它不是可以逐行跟踪的 Lua，或者没有任何一行。", clip(script))
}

func (t messages) cannotLook(step int, err error) string {
	return t.say("The lines of step %d could not be shown: %s. Nothing is lost: try again, or switch the engine.",
		"无法查看第 %d 步的脚本内部：%s。没有丢失任何内容：请重试，或切换引擎。", step, t.errorText(err))
}

func (t messages) cannotSwitch(err error) string {
	return t.say("The engine could not be switched: %s.", "无法切换引擎：%s。", t.errorText(err))
}

func (t messages) noFormat(name string) string {
	return t.say("there is no format %q: use text, json or svg", "没有 %q 这种格式：可用 text、json、svg", clip(name))
}

func (t messages) cannotCompare(err error) string {
	return t.say("There is nothing to show side by side: %s.", "无法并排对比：%s。", t.errorText(err))
}

func (t messages) cannotStart(err error) string {
	return t.say("The lesson could not be started: %s.", "无法开始这一课：%s。", t.errorText(err))
}

func (t messages) fellBack(err error) string {
	return t.say("The requested engine is not available, so the embedded one is used: %s.", "请求的引擎不可用，已改用内置引擎：%s。", t.errorText(err))
}

func (t messages) noPart(name string) string {
	return t.say("This lesson has no part %q.", "本课没有 %q 这一部分。", clip(name))
}

func (t messages) twice(name string) string {
	return t.say("%q appears twice", "%q 出现了两次", clip(name))
}

func (t messages) overLongSource(bytes int) string {
	return t.say("The text has %d bytes; the limit is %d.", "这段代码有 %d 字节，上限为 %d 字节。", bytes, MaxSource)
}

func (t messages) overLongEdits() string {
	return t.say("All edits of a lesson together are limited to %d bytes: undo one first.",
		"一课的全部修改加起来最多 %d 字节：请先还原其中一处。", maxEdits)
}

func (t messages) noAuthor() string {
	return t.say("Lessons cannot be written here.", "这里不能编写课程。")
}

func (t messages) noStore() string {
	return t.say("This lesson cannot be saved here: export it, or run playground serve --lessons DIR --edit.",
		"这一课不能在这里保存：请导出，或使用 playground serve --lessons DIR --edit 启动。")
}

func (t messages) notSaved(mistakes int) string {
	return t.say("Nothing was saved: the lesson has mistakes (%d) that everybody would see. Your draft is kept in this browser.",
		"没有保存：有 %d 处错误，保存后所有人都会看到。你的草稿保留在当前浏览器中。", mistakes)
}

func (t messages) overLongTexts(bytes int) string {
	return t.say("The lesson's files have %d bytes; the limit is %d.", "课程文件共 %d 字节，这里最多支持 %d 字节。", bytes, MaxTexts)
}

func (t messages) cannotEdit(err error) string {
	return t.say("The edit was not applied: %s.", "修改没有生效：%s。", t.errorText(err))
}

func (t messages) badEdits(why string) string {
	return t.say("The link's edits cannot be used, so the lesson runs unedited: %s.", "无法使用链接中的修改，课程保持原样：%s。", why)
}

func (t messages) olderEdits() string {
	return t.say("its edits were made of an older version of the lesson", "其中的修改基于课程的旧版本")
}

func (t messages) badBeside(err error) string {
	return t.say("The link's second timeline cannot be shown: %s.", "无法显示链接中的第二条时间线：%s。", strings.TrimRight(t.errorText(err), ".。"))
}

func (t messages) lostBranches(n int) string {
	if n == 1 {
		return t.say("A branch of last time cannot be played any more, and is gone.", "上次的一条分支已经无法播放，不再保留。")
	}
	return t.say("%d branches of last time cannot be played any more, and are gone.", "上次的 %d 条分支已经无法播放，不再保留。", n)
}

func (t messages) cannotSearch(err error) string {
	return t.say("The schedules could not be searched: %s.", "无法搜索调度：%s。", t.errorText(err))
}

func (t messages) differsAt(step int) string {
	return t.say("This engine answers differently at step %d.", "这个引擎在第 %d 步的结果不同。", step)
}

func (t messages) same(steps int) string {
	return t.say("All %d steps were replayed on this engine, with the same result.", "已在这个引擎上重放全部 %d 步，结果相同。", steps)
}

func (t messages) reloaded(steps int) string {
	return t.say("The lesson's files have changed. It was loaded again, and %d steps were replayed.", "课程文件已修改：重新读取，并用新内容重放了 %d 步。", steps)
}

// clip keeps a message about something overlong short.
func clip(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
