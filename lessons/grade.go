package lessons

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// sameAnswer tells whether a learner's words mean the engine's answer: quotes, case, the
// unit of a span, the order of names and the language do not matter.
func sameAnswer(given, expected string) bool {
	g, e := plainAnswer(given), plainAnswer(expected)
	switch {
	case g == "":
		return e == "" && given != ""
	case g == e || slices.Contains(otherWords[e], g):
		return true
	case strings.HasPrefix(e, "(error)") && slices.Contains(refusals, g):
		return true
	}
	return sameNumber(g, e) || sameSpan(g, e) || sameNames(g, e)
}

// otherWords are what else the engine's words may be called.
var otherWords = map[string][]string{
	"yes":    {"y", "true", "1", "是", "是的", "有", "在", "还在", "存在", "成功", "能", "可以", "会"},
	"no":     {"n", "false", "0", "否", "不", "不是", "没", "没有", "无", "不在", "不在了", "不存在", "不成功", "失败", "不能", "不可以", "不会"},
	"nil":    {"(nil)", "null", "nothing", "none", "empty", "no reply", "空", "空值", "无", "没有", "什么也没有", "not there", "不存在", "不在", "不在了"},
	"nobody": {"none", "no one", "noone", "nil", "nothing", "empty", "无", "空", "没有", "没有人", "没人", "无人"},
}

// refusals are what learners call an error that they cannot word.
var refusals = []string{"error", "an error", "no", "fails", "错误", "出错", "报错", "失败", "否", "不", "不能", "不成功", "不会"}

// plainAnswer is a text without what learners may leave out.
func plainAnswer(text string) string {
	text = strings.ToLower(strings.TrimRight(strings.TrimSpace(strings.Map(halfWidth, text)), ".。!"))
	text = strings.ReplaceAll(text, "−", "-") // the minus sign, as the page prints it
	return strings.Join(strings.Fields(strings.Trim(text, "\"'`“”‘’「」")), " ")
}

// halfWidth is a letter, digit or sign as a Latin keyboard types it: Chinese input methods
// make them as wide as characters.
func halfWidth(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// sameNumber compares numbers, in which spaces and commas may group the digits.
func sameNumber(given, expected string) bool {
	g, err := strconv.ParseFloat(ungrouped(inDigits(given)), 64)
	if err != nil {
		return false
	}
	e, err := strconv.ParseFloat(expected, 64)
	return err == nil && g == e
}

// numberWords are the words for the numbers from 0, and numerals those in Chinese.
const (
	numberWords = "zero one two three four five six seven eight nine ten eleven twelve"
	numerals    = "零一二三四五六七八九十"
)

// sayings are spans of time and signs that people write in words.
var sayings = strings.NewReplacer("half a minute", "30s", "半分钟", "30s", "minus ", "-", "负", "-", "两", "二")

// inDigits is a text with its small numbers in digits; larger Chinese ones stay as they are.
func inDigits(text string) string {
	words := strings.Fields(sayings.Replace(text))
	for i, w := range words {
		sign := ""
		if strings.HasPrefix(w, "-") {
			sign, w = "-", w[1:]
		}
		if n := slices.Index(strings.Fields(numberWords), w); n >= 0 {
			words[i] = sign + strconv.Itoa(n)
			continue
		}
		first, size := utf8.DecodeRuneInString(w)
		next, _ := utf8.DecodeRuneInString(w[size:])
		if at := strings.IndexRune(numerals, first); at >= 0 && !strings.ContainsRune(numerals, next) {
			words[i] = sign + strconv.Itoa(at/size) + w[size:]
		}
	}
	return strings.Join(words, " ")
}

// ungrouped is a number without what groups its digits.
func ungrouped(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ,，_\u00a0\u202f", r) {
			return -1
		}
		return r
	}, text)
}

// sameSpan compares spans of time: a number alone is of seconds or of milliseconds, and
// an answer in milliseconds may be said in another unit.
func sameSpan(given, expected string) bool {
	given = inDigits(given)
	g, hasUnit := spanOf(given)
	if e, err := time.ParseDuration(expected); err == nil && strings.ContainsAny(expected, "smh") {
		if hasUnit {
			return g == e
		}
		n, err := strconv.ParseFloat(ungrouped(given), 64)
		return err == nil && (n == e.Seconds() || n == float64(e.Milliseconds()))
	}
	ms, err := strconv.ParseInt(expected, 10, 64)
	return err == nil && hasUnit && g == time.Duration(ms)*time.Millisecond
}

// units as learners write them, and as Go does: those that contain others first.
var units = strings.NewReplacer(
	"毫秒", "ms", "milliseconds", "ms", "millisecond", "ms", "msec", "ms", "seconds", "s", "second", "s", "secs", "s", "sec", "s", "秒钟", "s", "秒", "s",
	"minutes", "m", "minute", "m", "mins", "m", "min", "m", "分钟", "m", "分", "m", "hours", "h", "hour", "h", "小时", "h",
)

func spanOf(text string) (time.Duration, bool) {
	text = units.Replace(text)
	d, err := time.ParseDuration(ungrouped(text))
	return d, err == nil && strings.ContainsAny(text, "smh")
}

// sameNames compares lists of names in any order. Nothing need part names of one letter.
func sameNames(given, expected string) bool {
	if !strings.Contains(expected, ",") {
		return false
	}
	want, got := names(expected), names(given)
	if len(got) == 1 && len(strings.Join(want, "")) == len(want) {
		got = strings.Split(got[0], "")
		slices.Sort(got)
	}
	return slices.Equal(got, want)
}

func names(text string) []string {
	text = strings.ReplaceAll(text, " and ", ",")
	all := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,，、&和与", r) })
	slices.Sort(all)
	return all
}
