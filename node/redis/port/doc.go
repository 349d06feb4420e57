// Package port opens the embedded Redis to real clients: RESP2 and RESP3 over TCP.
//
// A held request waits in its connection (hold.go), as during CLIENT PAUSE: no goroutine waits for
// it, so a server ends although requests are held. Whether a request is held, and the note that it
// is, are one decision under the recorder's lock, so a rule that is removed leaves nothing behind.
package port
