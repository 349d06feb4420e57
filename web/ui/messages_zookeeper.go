package ui

// ZooKeeper.
var (
	zkCreated         = msg{"%s was created", "%s 已创建"}
	zkDelivered       = msg{"The event %s of %s reached %s", "事件 %s（%s）送达 %s"}
	zkReceive         = msg{"%s read the event %s of %s", "%s 读到事件 %s（%s）"}
	zkEmpty           = msg{"no znodes", "没有 znode"}
	zkOwner           = msg{"ephemeral, of %s", "临时节点，属于 %s"}
	zkVersion         = msg{"version %s", "版本 %s"}
	zkWatches         = msg{"%s watches", "%s 在监视"}
	zkWatch           = msg{"%s watch", "%s 在监视"}
	zkWatchesChildren = msg{"%s watches the children", "%s 在监视子节点"}
	zkSessions        = msg{"Sessions", "会话"}
	zkAlive           = msg{"alive", "正常"}
	zkSilent          = msg{"silent, expires in %s", "没有心跳，%s后过期"}
	zkThere           = msg{"there", "存在"}
	zkNoChildren      = msg{"no children", "没有子节点"}
	zkAwait           = msg{"wait for an event of %s", "等待 %s 的事件"}
	zkEvent           = msg{"an event of %s", "%s 的事件"}
	zkTakes           = msg{"take the event of %s", "接收 %s 的事件"}
	zkAwaitFor        = msg{"wait for an event of %s, at most %s", "等待 %s 的事件，最多 %s"}
	zkTimeout         = msg{"%s timed out waiting for an event of %s", "%s 等待 %s 的事件超时"}
	zkNoEvent         = msg{"%s: no event came", "%s 等事件超时"}
	zkSessionLeft     = msg{"the session of %s expires in %s", "%s 的会话 %s后过期"}
	zkSessionAlive    = msg{"the session of %s is alive", "%s 的会话仍有效"}
	zkTake            = msg{"next: takes the event of %s", "下一步：接收 %s 的事件"}
	zkWaits           = msg{"waits for an event", "正在等待事件"}
	zkEmbedded        = msg{"On this engine the ZooKeeper is the embedded one.", "在这个引擎上，ZooKeeper 是内置的。"}
)
