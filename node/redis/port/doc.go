// Package port opens the embedded Redis to real clients: RESP2 and RESP3 over TCP.
//
// To find the way, follow a command: server.go has the lock and the connections, request.go reads,
// dispatch.go finds the command and says who may run it when, cmd_*.go are those about connections
// and the server, databases.go leads to the keys, encode.go and conn.go answer. blocked.go,
// pubsub.go, tracking.go and follow.go tell other clients, or attach, of what has happened.
//
// A held request waits in its connection (hold.go), as during CLIENT PAUSE: no goroutine waits for
// it, so a server ends although requests are held. Whether a request is held, and the note that it
// is, are one decision under the recorder's lock, so a rule that is removed leaves nothing behind.
package port
