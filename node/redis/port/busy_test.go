package port_test

import (
	"log/slog"
	"strings"
	"testing"

	"lockstep/node/redis/port"
)

// Scripts may run for as long as they like, but not with all memory.
func TestScriptsThatHoldTooMuchEnd(t *testing.T) {
	w := dial(t, open(t, port.Real))
	w.expect(":1\r\n", "EVAL", "for i = 1, 3000000 do end return 1", "0")
	const tables, process = "holds more than its 67108864 bytes", "holds more than its 268435456 bytes"
	for _, c := range []struct{ script, says string }{
		{"local t = {} for i = 1, 1e9 do local u = {} u.x = i t[i] = u end", tables},
		{"local t, s = {}, ('x'):rep(1e5) for i = 1, 1e9 do t[i] = s .. i end", process},
		{"for i = 1, 1e9 do redis.call('set', 'k' .. i, ('x'):rep(1000)) end", process},
	} {
		if got := w.do("EVAL", c.script, "0"); !strings.Contains(got, c.says) {
			t.Errorf("%s\n answers %.200q\n and not %q", c.script, got, c.says)
		}
		w.expect("+OK\r\n", "FLUSHALL")
	}
}

// awaitBusy waits until other clients are told that a script runs.
func awaitBusy(t *testing.T, w *wire) {
	t.Helper()
	eventually(t, "the server is busy", func() bool { return strings.HasPrefix(w.do("PING"), "-BUSY ") })
}

// TestABusyScriptOfAClientThatWaited: who pushes an item runs what the client that
// waited for it has sent since, and is answered all the same.
func TestABusyScriptOfAClientThatWaited(t *testing.T) {
	at := open(t, port.Real)
	waits, pushes, other := dial(t, at), dial(t, at), dial(t, at)
	other.expect("+OK\r\n", "CONFIG", "SET", "busy-reply-threshold", "50")
	waits.write(command("BLPOP", "q", "0") + command("EVAL", "redis.call('get', 'k') while true do end", "0") + command("ECHO", "after"))
	awaitBlocked(t, other, "1")
	pushes.expect(":1\r\n", "RPUSH", "q", "item")
	awaitBusy(t, other)
	waits.write(command("ECHO", "and more"))
	if got := waits.read(); got != "*2\r\n$1\r\nq\r\n$4\r\nitem\r\n" {
		t.Errorf("BLPOP answers %q", got)
	}
	other.expect("+OK\r\n", "SCRIPT", "KILL")
	for _, want := range []string{"-ERR Script killed by user with SCRIPT KILL", "$5\r\nafter\r\n", "$8\r\nand more\r\n"} {
		if got := waits.read(); !strings.HasPrefix(got, want) {
			t.Errorf("after the script comes %q, want %q", got, want)
		}
	}
	pushes.expect("+PONG\r\n", "PING")
}

// TestNobodyIsServedWhileAScriptRuns: what it pushes goes to who waits when it has
// ended, and what expires stays.
func TestNobodyIsServedWhileAScriptRuns(t *testing.T) {
	at := open(t, port.Real)
	waits, runs, other := dial(t, at), dial(t, at), dial(t, at)
	other.expect("+OK\r\n", "CONFIG", "SET", "busy-reply-threshold", "50")
	waits.write(command("BLPOP", "q", "0"))
	awaitBlocked(t, other, "1")
	runs.expect("+OK\r\n", "SET", "short", "v", "PX", "200")
	runs.write(command("EVAL", `redis.call('rpush', 'q', 'a', 'b')
		local n = 0
		while n < 3e7 do n = n + 1 end
		return {redis.call('llen', 'q'), redis.call('exists', 'short')}`, "0"))
	awaitBusy(t, other)
	waits2 := dial(t, at)
	waits2.expect("-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.\r\n", "BLPOP", "q", "0")
	if got := runs.read(); got != "*2\r\n:2\r\n:1\r\n" {
		t.Errorf("the script sees %q", got)
	}
	if got := waits.read(); got != "*2\r\n$1\r\nq\r\n$1\r\na\r\n" {
		t.Errorf("who waits is given %q", got)
	}
	eventually(t, "short has expired", func() bool { return other.do("EXISTS", "short") == ":0\r\n" })
}

// TestABusyScriptEndsWithTheServer, even one that nobody can kill, whether or not
// other clients know of it yet.
func TestABusyScriptEndsWithTheServer(t *testing.T) {
	for _, threshold := range []string{"20", "0"} {
		at, stop := serve(t, port.Real, slog.New(slog.DiscardHandler))
		runs, other := dial(t, at), dial(t, at)
		other.expect("+OK\r\n", "CONFIG", "SET", "busy-reply-threshold", threshold)
		runs.write(command("EVAL", "redis.call('set', 'k', 'v') while true do pcall(function() while true do end end) end", "0"))
		if threshold != "0" {
			awaitBusy(t, other)
		}
		check(t, stop())
		if got := runs.read(); got != "EOF" && !strings.HasPrefix(got, "-ERR the server is shut down script: ") {
			t.Errorf("the client of the script reads %q", got)
		}
	}
}
