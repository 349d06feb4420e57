package lessons

// Chapter is a group of lessons.
type Chapter struct {
	Key   string // what a lesson names
	Title Text
}

// Chapters lists them in teaching order.
var Chapters = []Chapter{
	{"scripting", Text{"Scripts that nothing can interrupt", "不会被打断的脚本"}},
	{"simple", Text{"One key is a lock", "一个 key 就是一把锁"}},
	{"reentrancy", Text{"A lock that counts", "会计数的锁"}},
	{"redisson", Text{"How Redisson does it", "Redisson 是怎么做的"}},
	{"fairness", Text{"First come, first served", "先来后到"}},
	{"more", Text{"More mechanisms", "更多机制"}}, // where a lesson goes that fits nowhere else
}
