package ui

import "lockstep/lessons"

// numbered is a lesson with its place in the catalogue.
type numbered struct {
	Number int
	Lesson *lessons.Lesson
}

type chapter struct {
	Name    string // as lessons give it
	Title   lessons.Text
	Lessons []numbered
}

// comparing is the chapter that leads to the comparison of locks.
const comparing = "compare"

// chapterTitles has the titles of lessons.Chapters.
var chapterTitles = map[string]lessons.Text{
	"why":        {En: "Why a lock at all", Zh: "为什么需要锁"},
	"simple":     {En: "One key is a lock", Zh: "一个 key 就是一把锁"},
	"reentrancy": {En: "A lock that counts", Zh: "带计数的锁"},
	"redisson":   {En: "How Redisson does it", Zh: "Redisson 是怎么做的"},
	"watchdog":   {En: "A lease that is kept alive", Zh: "看门狗与续期"},
	"fairness":   {En: "First come, first served", Zh: "先来后到"},
	"servers":    {En: "More than one server", Zh: "不止一台服务器"},
	"incidents":  {En: "Real incidents", Zh: "真实事故"},
	"zookeeper":  {En: "Locks in ZooKeeper", Zh: "ZooKeeper 里的锁"},
	"ids":        {En: "Ids that nobody else has", Zh: "全局唯一 ID"},
	"sql":        {En: "Locks of a database", Zh: "数据库的锁"},
	comparing:    {En: "Side by side", Zh: "放在一起比较"},
	"more":       {En: "More mechanisms", Zh: "更多机制"},
}

// chapters groups the catalogue. Chapters without lessons are left out.
func chapters(catalog []*lessons.Lesson) []chapter {
	var out []chapter
	for _, name := range lessons.Chapters {
		c := chapter{Name: name, Title: chapterTitles[name]}
		for i, l := range catalog {
			if l.Chapter == name {
				c.Lessons = append(c.Lessons, numbered{i + 1, l})
			}
		}
		if len(c.Lessons) > 0 {
			out = append(out, c)
		}
	}
	return out
}
