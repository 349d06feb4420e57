package lessons

// Chapters are the groups of lessons, as lessons name them, in teaching order. A lesson
// that fits nowhere else goes into more.
var Chapters = []string{"scripting", "simple", "reentrancy", "redisson", "fairness", "more"}
