package ui

import "lockstep/engine"

// Requests of actors that are not commands.
var (
	reqAwait      = msg{"wait for the task %s", "等待任务 %s"}
	reqReceive    = msg{"wait for a message on %s", "等待 %s 上的消息"}
	reqScript     = msg{"run the script %s", "执行脚本 %s"}
	reqMessage    = msg{"a message on %s", "%s 上的消息"}
	reqTake       = msg{"take the message on %s", "接收 %s 上的消息"}
	reqReceiveFor = msg{"wait for a message on %s, at most %s", "等待 %s 上的消息，最多 %s"}
	reqSleep      = msg{"sleep %s", "休眠 %s"}
	reqWork       = msg{"work for %s", "工作 %s"}
)

// What a step did.
var (
	saidRun         = msg{"%s made a move", "%s 执行了一步"}
	saidScript      = msg{"%s ran %s, which returned %s", "%s 执行 %s，返回 %s"}
	saidCommand     = msg{"%s sent %s and got %s", "%s 发送 %s，返回 %s"}
	saidError       = msg{"%s sent %s and got an error: %s", "%s 发送 %s，返回错误：%s"}
	saidToldToWait  = msg{"%s asked for %s and was told to wait %s (%s returned %s)", "%s 请求 %s，答复是再等 %s（%s 返回 %s）"}
	saidRefused     = msg{"%s ran %s on %s and was refused: %s", "%[1]s 对 %[3]s 执行 %[2]s，被拒绝（返回 %[4]s）"}
	saidRefusedCmd  = msg{"%s sent %s and was refused: %s", "%s 发送 %s，被拒绝（返回 %s）"}
	saidGranted     = msg{"%s sent %s and got %s, but %s counts %s as not taken", "%s 发送 %s，返回 %s，但 %s 判定没有拿到 %s"}
	saidSubscribe   = msg{"%s subscribed to %s", "%s 订阅 %s"}
	saidUnsubscribe = msg{"%s unsubscribed from %s", "%s 取消订阅 %s"}
	saidReceive     = msg{"%s received “%s” on %s", "%s 收到消息“%s”（频道 %s）"}
	saidTick        = msg{"The clock moved on by %s to %s", "时钟前进 %s，到 %s"}
	saidCreated     = msg{"%s was created, without a TTL", "%s 已创建，没有 TTL"}
	saidCreatedTTL  = msg{"%s was created, TTL %s", "%s 已创建，TTL 为 %s"}
	saidDeleted     = msg{"%s was deleted", "%s 被删除"}
	saidExpired     = msg{"%s expired", "%s 过期"}
	saidTTL         = msg{"its TTL is now %s", "TTL 设为 %s"}
	saidNoTTL       = msg{"its TTL was removed", "TTL 已移除"}
	saidItemNew     = msg{"%s was added", "加入 %s"}
	saidItemGone    = msg{"%s was removed", "移除 %s"}
	saidMore        = msg{"%d more keys changed", "另有 %d 个 key 变化"}
	saidDelivered   = msg{"The message “%s” on %s was sent to %s", "消息“%s”（频道 %s）发往 %s"}
	saidBroken      = msg{"Rule broken, %s: %s", "规则被破坏，%s：%s"}
	saidWorked      = msg{"%s worked for %s", "%s 干了 %s的活"}
	saidOften       = msg{"%s did not get %s, %d times", "%s 没有拿到 %s，共 %d 次"}
	briefTimeout    = msg{"%s: no message came", "%s 等消息超时"}
	saidForget      = msg{"%s removed what its process had noted: %s", "%s 从进程内存里删掉了 %s"}
	briefAnswered   = msg{"%s: %s", "%s：%s"}
	briefEntered    = msg{"%s got in: %s", "%s 进入临界区：%s"}
	briefRefused    = msg{"%s was refused: %s", "%s 被拒绝：%s"}
	briefError      = msg{"%s got an error: %s", "%s 出错：%s"}
)

// saidOf has the words for what an actor did on its own, most of it with one thing.
var saidOf = map[engine.NoteKind]msg{
	engine.NoteWoke:     {"%[1]s woke up", "%[1]s 醒来"},
	engine.NoteTimeout:  {"%s timed out waiting for a message on %s", "%s 等待 %s 上的消息超时"},
	engine.NoteNoReply:  {"%s gave up on a reply from %s", "%s 不再等待 %s 的返回"},
	engine.NoteEnter:    {"%s entered %s", "%s 进入 %s"},
	engine.NoteReenter:  {"%s entered %s once more", "%s 再次进入 %s"},
	engine.NoteLeave:    {"%s left the section %s", "%s 离开临界区 %s"},
	engine.NoteStay:     {"%s is still inside %s", "%s 仍在 %s 中"},
	engine.NoteRefused:  {"%s did not get %s", "%s 没有拿到 %s"},
	engine.NoteWant:     {"%s wants %s", "%s 想要 %s"},
	engine.NoteUnwant:   {"%s gave up %s", "%s 放弃等待 %s"},
	engine.NoteSay:      {"%s says: %s", "%s 说：%s"},
	engine.NoteRemember: {"%s noted in its process: %s", "%s 在进程内存里记下：%s"},
	engine.NoteSpawn:    {"%s started the task %s", "%s 启动后台任务 %s"},
	engine.NoteCancel:   {"%s ended the task %s", "%s 结束后台任务 %s"},
	engine.NoteDone:     {"%[1]s has finished", "%[1]s 已结束"},
	engine.NoteFailed:   {"%s failed: %s", "%s 失败：%s"},
}
