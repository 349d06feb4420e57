package client

import (
	"strings"
	"testing"

	"lockstep/engine"
)

// started is an actor that has come to its first request.
func started(t *testing.T, program string) (*coroutine, engine.Request) {
	t.Helper()
	p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "A", Source: program})
	if err != nil {
		t.Fatal(err)
	}
	c, ok := p.Start("A", "jvm-1").(*coroutine)
	if !ok {
		t.Fatal("the program does not start")
	}
	return c, c.Next(engine.Outcome{})
}

func TestWhatAProgramHoldsIsKnown(t *testing.T) {
	little, _ := started(t, `redis.call("PING")`)
	much, _ := started(t, `local t = {} for i = 1, 2000 do t[i] = {} end redis.call("PING") t = nil for i = 1, 5000 do end redis.call("PING")`)
	if little.Bytes() < 50<<10 || little.Bytes() > 200<<10 || much.Bytes() < little.Bytes()+2000*100 {
		t.Errorf("they hold %d and %d bytes", little.Bytes(), much.Bytes())
	}
	if long, _ := started(t, "--"+strings.Repeat("x", 10_000)+"\nsleep(1)"); long.Bytes() < little.Bytes()+10_000*10 {
		t.Errorf("a long program holds %d bytes, and a short one %d", long.Bytes(), little.Bytes())
	}
	before := much.Bytes()
	if much.Next(engine.Outcome{}); much.Bytes() > before-2000*100 {
		t.Errorf("it held %d bytes, and %d when they were let go", before, much.Bytes())
	}
}

// A thread and its tasks share one state: what one of them holds is held by all.
func TestTasksAreWeighedWithTheirThread(t *testing.T) {
	c, first := started(t, `
		for i = 1, 8 do
			spawn("w" .. i, function()
				local t = {}
				for i = 1, 2500 do t[i] = {} end
				work("1s")
				t[1] = t
			end)
		end
		work("1s")`)
	for n := 1; ; n++ {
		spawn, ok := first.(engine.Spawn)
		if !ok {
			t.Fatalf("after %d tasks: %v", n, first)
		}
		if done, ended := spawn.Actor.Next(engine.Outcome{}).(engine.Done); ended {
			if n < 4 || !strings.Contains(done.Failure.Error(), "uses more than the 2 MB of memory") {
				t.Errorf("task %d: %s", n, done.Failure)
			}
			return
		}
		first = c.Next(engine.Outcome{})
	}
}

func TestTasksThatHaveEndedHoldNothing(t *testing.T) {
	c, next := started(t, `
		for i = 1, 100 do
			spawn("w", function()
				local t = {}
				for i = 1, 1000 do t[i] = {} end
				work("1s")
			end)
			cancel("w")
		end
		work("1s")`)
	for {
		switch r := next.(type) {
		case engine.Spawn:
			r.Actor.Next(engine.Outcome{})
		case engine.Sleep:
			return
		case engine.Done:
			t.Fatal(r.Failure)
		}
		next = c.Next(engine.Outcome{})
	}
}

// What a thread holds counts while its task runs.
func TestAThreadIsWeighedWithItsTask(t *testing.T) {
	const hold = "local t = {} for i = 1, 12000 do t[i] = {} end "
	c, next := started(t, hold+`spawn("w", function() `+hold+`work("1s") t[1] = t end) work("1s") t[1] = t`)
	spawn, ok := next.(engine.Spawn)
	if !ok {
		t.Fatalf("it asks for %v", next)
	}
	if done, ended := spawn.Actor.Next(engine.Outcome{}).(engine.Done); !ended || !strings.Contains(done.Failure.Error(), "uses more than the 2 MB of memory") {
		t.Errorf("with %d bytes held, the task goes on", c.Bytes())
	}
}
