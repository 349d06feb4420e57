package lessons

// Chapters are the groups of lessons, in teaching order. A lesson that fits into no other
// belongs to more.
var Chapters = []string{"why", "simple", "reentrancy", "redisson", "watchdog", "fairness", "more", "servers", "ids", "incidents", "sql", "zookeeper", "compare"}
