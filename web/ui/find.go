package ui

import (
	"regexp"
	"slices"
	"strings"

	"lockstep/lessons"
)

// marked is what a text marks: a term where it is explained, and code.
var marked = regexp.MustCompile("\\*\\*([^*]+)\\*\\*|`([^`]+)`")

// synonyms are words for the same, each group in both languages: a lesson that has one of them is found by all.
var synonyms = [][]string{
	{"split brain", "脑裂", "failover", "fails over", "故障转移", "主从切换", "丢锁"},
	{"pauses", "paused process", "停顿", "stop the world", "zombie", "僵尸"},
	{"RedLock", "红锁"},
	{"MariaDB", "MySQL", "InnoDB", "FOR UPDATE"},
	{"deadlock", "死锁"},
	{"expire", "expired", "过期", "到期"},
	{"超卖", "oversell", "race condition", "竞态", "卖库存", "扣库存", "库存扣减", "秒杀"},
	{"IllegalMonitorStateException", "attempt to unlock lock, not locked by current thread", "报错", "抛异常"},
	{"leaseTime", "lock(10 s)", "不续期"},
	{"活比租期长", "业务没执行完", "锁过期", "锁提前释放"},
	{"可重入", "reentrant", "reentrancy"},
	{"optimistic", "乐观锁", "compare and set"},
	{"crash", "崩溃", "宕机", "kill -9"},
}

// terms are the words by which a lesson is found, besides the title and the summary that a page shows: those of the
// other language, the terms and commands that its story marks, and the products and sources that it names.
func terms(lang lessons.Lang, l *lessons.Lesson) string {
	words := []string{l.Name, l.Title.In(lang.Other()), l.Summary.In(lang.Other())}
	words = append(words, l.Formerly...)
	for _, b := range l.Story {
		for _, text := range []string{b.Say.Source.En, b.Say.Source.Zh} {
			for _, m := range marked.FindAllStringSubmatch(text, -1) {
				words = append(words, m[1]+m[2])
			}
		}
	}
	words = append(words, l.Client.Functions()...)
	words = append(words, l.Sources...)
	for _, statements := range [][]lessons.Text{l.Versions, l.Affected, l.Cured} {
		for _, s := range statements {
			words = append(words, s.In(lang))
		}
	}
	said := strings.Join(append(words, l.Title.In(lang), l.Summary.In(lang)), " ")
	return dotted(append(words, synonymsOf(said)...))
}

// concernTerms are the words by which a question is found, besides those that a page shows.
func concernTerms(lang lessons.Lang, c lessons.Concern) string {
	return dotted(append([]string{c.Asks.In(lang.Other())}, synonymsOf(c.Asks.En+" "+c.Asks.Zh)...))
}

// synonymsOf are the groups of words of which a text has one.
func synonymsOf(said string) []string {
	said = strings.ToLower(said)
	var words []string
	for _, group := range synonyms {
		if slices.ContainsFunc(group, func(w string) bool { return strings.Contains(said, strings.ToLower(w)) }) {
			words = append(words, group...)
		}
	}
	return words
}

// dotted is each of some words once.
func dotted(words []string) string {
	var all []string
	for _, w := range words {
		if w = strings.TrimSpace(w); len([]rune(w)) > 1 && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return strings.Join(all, " · ")
}
