package ui

import "lockstep/engine"

// Nodes.
var (
	nodeDown      = msg{"down", "已宕机"}
	nodePaused    = msg{"paused", "已暂停"}
	nodeLeads     = msg{"leads", "主节点"}
	nodeReplica   = msg{"replica of %s", "%s 的从节点"}
	nodeLost      = msg{"lost %s", "与 %s 失联"}
	nodeHasAll    = msg{"has all writes", "写入已同步"}
	nodeBehind    = msg{"behind by %d", "少 %d 条写入"}
	nodeSentAll   = msg{"gets everything", "将收到全部数据"}
	nodeSaved     = msg{"has a snapshot", "有快照"}
	nodeInbox     = msg{"inbox: %d", "待处理：%d"}
	nodeQueue     = msg{"On their way from %s:", "来自 %s 的在途写入："}
	nodeAll       = msg{"everything", "全部数据"}
	nodeNext      = msg{"next arrives", "到达一条"}
	nodeNextAll   = msg{"all arrive", "全部到达"}
	nodeWait      = msg{"%s waits here for %s", "%s 在此等待 %s"}
	nodeWaitBy    = msg{"because of %s", "受阻于 %s"}
	nodeReplica1  = msg{"1 replica", "1 个从节点"}
	nodeReplicas  = msg{"%d replicas", "%d 个从节点"}
	keySlot       = msg{"slot %d", "槽 %d"}
	keyLost       = msg{"lost", "已丢失"}
	jumpForward   = msg{"forward by %s", "向前跳了 %s"}
	jumpBack      = msg{"back by %s", "往回跳了 %s"}
	clockOff      = msg{"clock %s", "时钟 %s"}
	cutRequests   = msg{"%s ⇸ %s: requests are lost", "%s ⇸ %s：请求丢失"}
	cutReplies    = msg{"%s ⇸ %s: replies are lost", "%s ⇸ %s：返回丢失"}
	cutNodes      = msg{"%s ⇸ %s: nothing arrives", "%s ⇸ %s：无法到达"}
	actorAnswered = msg{"its reply is there", "返回已到，可以接收"}
	actorTakes    = msg{"take the reply to %s", "接收 %s 的返回"}
	nextReply     = msg{"next: takes the reply from %s", "下一步：接收 %s 的返回"}
)

// What a step did where there are several nodes, or no reply at once.
var (
	askedOn       = msg{"%s on %s", "%s 在 %s"}
	sentTo        = msg{"%s to %s", "%s 向 %s"}
	thingOn       = msg{"%s on %s", "%[2]s 上的 %[1]s"}
	repliedOn     = msg{"%s on %s", "%[2]s 对 %[1]s"}
	saidTaken     = msg{"%s got the reply to %s: %s", "%s 收到 %s 的返回：%s"}
	saidTakenNone = msg{"%s got the reply to %s", "%s 收到 %s 的返回"}
	saidRefusedOn = msg{"%s ran %s and was refused %s: %s", "%[1]s 对 %[3]s 执行 %[2]s，被拒绝（返回 %[4]s）"}
	saidAnswered  = msg{"%s answered %s: %s", "%s 返回给 %s：%s"}
	saidClosed    = msg{"The connection of %s to %s ended", "%s 到 %s 的连接断开"}
	saidMissed    = msg{"The message “%s” on %s was lost on its way to %s", "消息“%s”（频道 %s）在发往 %s 的途中丢失"}
	saidLeads     = msg{"%s leads", "%s 成为主节点"}
	saidFollows   = msg{"%s has all that %s wrote", "%s 已收到 %s 的全部写入"}
	saidBehind    = msg{"%s is behind %s by %d", "%s 比 %s 少 %d 条写入"}
	saidSendsAll  = msg{"%s will be sent all that %s holds", "%[2]s 的全部数据将发往 %[1]s"}
	saidLostTouch = msg{"%s and %s have lost each other", "%s 与 %s 失去联系"}
)

// noReplyWords say what became of a request that has no reply, and stand where the reply would.
var noReplyWords = map[engine.NoReply]struct{ said, short msg }{
	engine.RequestLost: {msg{"%s sent %s, and the request was lost", "%s 发送 %s，请求丢失"}, msg{"request lost", "请求丢失"}},
	engine.ReplyLost:   {msg{"%s sent %s: it was done, and the reply was lost", "%s 发送 %s，已经执行，但返回丢失"}, msg{"reply lost", "返回丢失"}},
	engine.NodePaused:  {msg{"%s sent %s: the server is paused, and does it when it goes on", "%s 发送 %s，节点已暂停，恢复后才会执行"}, msg{"server is paused", "节点已暂停"}},
	engine.InNode:      {msg{"%s sent %s: the request waits at the server", "%s 发送 %s，请求在服务器端阻塞等待"}, msg{"waiting", "在服务器端阻塞"}},
}
