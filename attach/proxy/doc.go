// Package proxy stands between clients and their real Redis. Each client has a connection of its own there, and
// every byte is passed on as it is, addresses of a cluster's nodes excepted (readdress.go, cluster.go), so that nothing that the Redis or the client can do is in the way: TLS, ACL,
// RESP3, pipelines, transactions, blocking commands, pub/sub.
//
// A tap (tap.go) listens to both directions, cuts them into requests and replies (requests.go, replies.go), and
// puts what a client did with what came back into a queue, which has bounds: what does not fit is dropped and
// counted, so that nobody waits for the page. A request that a rule holds waits before it is sent (hold.go).
//
// What has become of the keys nobody tells a proxy. So a mirror (mirror.go), an embedded Redis, runs what may
// change keys once more, and compares its reply with the real one (agree.go): if they agree, the keys are as the
// mirror has them. If not, because a key is older than the proxy or was changed by somebody else, it looks
// (doubt.go): a connection of its own reads the key (reader.go), if nothing that touches it is under way. Where
// that cannot be, the key is hidden: the page shows nothing that is not known.
//
// Replies of different connections come in another order than their commands ran. A command whose reply does not
// fit waits for a moment for those that may have come before it.
package proxy
