package lessons

// EnglishComment is a comment of the documents' scripts in English, for the page to show; the
// scripts run as they are, and their SHA1 is theirs. It is false for all other comments.
func EnglishComment(comment string) (string, bool) {
	english, known := comments[comment]
	return english, known
}

var comments = map[string]string{
	// The re-entrant lock in a hash.
	"-- 锁的key":                 "-- the lock's key",
	"-- 线程唯一标识":                "-- what tells the thread apart from all others",
	"-- 锁的自动释放时间":              "-- after how long the lock is released by itself",
	"-- 判断锁是否存在":               "-- is there a lock?",
	"-- 不存在，获取锁":               "-- there is none: take it",
	"-- 设置有效期":                 "-- set the lease",
	"-- 返回结果":                  "-- the result",
	"-- 锁已经存在，判断threadId是否是自己": "-- there is a lock: does it belong to this threadId?",
	"-- 是自己的锁，重入次数+1":          "-- it is our own: count one entry more",
	"-- 代码走到这里，说明获取锁的不是自己，获取锁失败": "-- whoever gets here does not own the lock, and does not get it",
	"-- 判断当前锁是否还是被自己持有":          "-- is the lock still our own?",
	"-- 如果已经不是自己，则直接返回":          "-- if it no longer is, return",
	"-- 是自己的锁，则重入次数-1":           "-- it is our own: count one entry less",
	"-- 判断是否重入次数是否已经为0":          "-- has the count reached 0?",
	"-- 大于0说明不能释放锁，重置有效期然后返回":    "-- above 0 the lock cannot be released: renew the lease and return",
	"-- 等于0说明可以释放锁，直接删除":         "-- at 0 the lock can be released: delete it",

	// A lock that only its owner deletes.
	"-- 执行删除操作":  "-- delete it",
	"-- 不成功,返回0": "-- it did not work: return 0",

	// Redisson's lock.
	"-- 不存在该key时": "-- if there is no such key",
	"-- 新增该锁并且hash中该线程id对应的count置1": "-- create the lock, with a count of 1 for this thread's id in the hash",
	"-- 设置过期时间":                     "-- set the lease",
	"-- 存在该key 并且 hash中线程id的key也存在": "-- if there is such a key, and this thread's id is in the hash",
	"-- 线程重入次数++":                   "-- the thread has entered once more",
	"-- 不存在key":                     "-- there is no such field: this thread does not hold the lock",
	"-- 计数器 -1":                     "-- counter - 1",
	"-- 计数器-1":                      "-- counter - 1",
	"-- 过期时间重设":                     "-- set the lease anew",
	"-- 删除并发布解锁消息":                  "-- delete the lock and publish that it is free",
	"-- 删除lock":                     "-- delete the lock",
	"-- lockname、threadId不存在":       "-- there is no such lock name or threadId",

	// Redisson's fair lock.
	"-- 1.死循环清除过期key": "-- 1. loop until the waiters whose time is over are gone",
	"-- 获取头节点":        "-- take the head of the queue",
	"-- 首次获取必空跳出循环":   "-- at the first call it is empty, and the loop ends",
	"-- 清除过期key":      "-- remove what has expired",
	"-- 2.不存在该锁 && (不存在线程等待队列 || 存在线程等待队列而且第一个节点就是此线程ID),加锁部分主要逻辑": "-- 2. there is no lock && (there is no queue || this thread's ID is first in it): the main part of locking",
	"-- 弹出队列中线程id元素,删除Zset中该线程id对应的元素":                             "-- take this thread's id off the queue, and out of the zset",
	"-- 遍历zSet所有key,将key的超时时间(score) - 位置保留时长":                     "-- for all keys of the zset: the key's timeout (score) - how long a place is kept",
	"-- 加锁设置锁过期时间":       "-- take the lock and set its lease",
	"-- 3.线程存在,重入判断":     "-- 3. the thread is there: does it enter again?",
	"-- 4.已在队列中:返回还要等多久": "-- 4. it is in the queue: return how long it has to wait",
	"-- timeout的值在下方设置,减去位置保留时长和当前时间,就是离轮到它还有多久": "-- timeout is set below; minus how long a place is kept, minus now: how long until its turn",
	"-- 5.尾节点剩余存活时间":       "-- 5. how long the tail of the queue has left",
	"-- 尾节点不空 && 尾节点非当前线程": "-- there is a tail && it is not this thread",
	"-- 计算队尾节点剩余存活时间":      "-- how long the tail of the queue has left",
	"-- 获取lock_name剩余存活时间": "-- how long lock_name has left",
	"-- 6.末尾排队":            "-- 6. queue at the end",
	"-- zSet 超时时间(score) = 尾节点ttl + 位置保留时长 + 当前时间,无则新增,有则更新": "-- the zset's timeout (score) = the tail's ttl + how long a place is kept + now; added if it is new, else updated",
	"-- 线程id放入队列尾部排队,无则插入,有则不再插入":                            "-- the thread's id goes to the end of the queue, unless it is there already",
}
