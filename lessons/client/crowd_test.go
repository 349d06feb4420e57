package client

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
)

// crowdOf starts a crowd that runs a program.
func crowdOf(t *testing.T, count int, program string) engine.Actor {
	t.Helper()
	p, err := Compile(Setup{Node: "redis"}, Chunk{Name: "buyer", Source: program})
	if err != nil {
		t.Fatal(err)
	}
	return p.StartCrowd("buyer", "app", count)
}

// TestTheClientsOfACrowdTakeTurns: all have read before the first one writes, each knows
// what it has read itself, and who has ended has no more turns.
func TestTheClientsOfACrowdTakeTurns(t *testing.T) {
	crowd := crowdOf(t, 3, `
		local seen = redis.call("GET", "n")
		if seen == "0" then refused("n") return end
		redis.call("SET", me, seen)
		say("done")`)
	request := crowd.Next(engine.Outcome{})
	got := []string{describe(request)}
	for _, answer := range []reply.Reply{reply.OfBulk("1"), reply.OfBulk("0"), {}, reply.OfBulk("3"), reply.OfStatus("OK"), {}, reply.OfStatus("OK"), {}} {
		request = crowd.Next(engine.Outcome{Reply: answer})
		got = append(got, describe(request))
	}
	want := []string{
		`call redis ["GET" "n"]`, `call redis ["GET" "n"]`, "engine.Refused {n}", `call redis ["GET" "n"]`,
		`call redis ["SET" "buyer-1" "1"]`, "engine.Say {done}", `call redis ["SET" "buyer-3" "3"]`, "engine.Say {done}", "engine.Done {}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it asks for\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatAClientOfACrowdCannotDo(t *testing.T) {
	for program, want := range map[string]string{
		`sleep("1s")`:                      "client of a crowd cannot do",
		`enter("x")`:                       "client of a crowd cannot do",
		`redis.watch("k")`:                 "client of a crowd cannot do",
		`redis.call("BLPOP", "q", 0)`:      "client of a crowd cannot do",
		`spawn("t", function() end)`:       "client of a crowd cannot do",
		`error("IllegalMonitorState", 0)`:  "IllegalMonitorState",
		`redis.call("GET", "k") error(me)`: "buyer-1",
	} {
		crowd := crowdOf(t, 2, program)
		request := crowd.Next(engine.Outcome{})
		for range 2 {
			if _, sends := request.(engine.Exec); sends {
				request = crowd.Next(engine.Outcome{})
			}
		}
		if done, ended := request.(engine.Done); !ended || !strings.Contains(done.Failure.Error(), want) {
			t.Errorf("%s gives %s, want a failure with %q", program, describe(request), want)
		}
	}
}

// TestACrowdHasADigest: crowds that will do the same have the same one.
func TestACrowdHasADigest(t *testing.T) {
	digest := func(answers ...string) [16]byte {
		crowd := crowdOf(t, 2, `local n = redis.call("GET", "n") redis.call("SET", me, n)`)
		crowd.Next(engine.Outcome{})
		for _, a := range answers {
			crowd.Next(engine.Outcome{Reply: reply.OfBulk(a)})
		}
		return crowd.(engine.Digester).Digest()
	}
	if again := digest("1"); digest("1") != again {
		t.Error("the same crowd has two digests")
	}
	if digest("1") == digest("2") || digest("1") == digest() || digest("1", "2") == digest("2", "1") {
		t.Error("crowds that differ have one digest")
	}
}

// What a crowd takes is what those of its clients take that have begun and not ended.
func TestWhatACrowdHoldsIsKnown(t *testing.T) {
	crowd := crowdOf(t, 3, `redis.call("GET", "n")`)
	held := func() int { return crowd.(engine.MemoryUser).Bytes() }
	if n := held(); n != 0 {
		t.Errorf("before it begins it holds %d bytes", n)
	}
	crowd.Next(engine.Outcome{})
	one := held()
	if one < 50<<10 {
		t.Errorf("one client holds %d bytes", one)
	}
	crowd.Next(engine.Outcome{}) // the first one is done, and the second begins
	if n := held(); n != one {
		t.Errorf("a client holds %d bytes, and the one before held %d", n, one)
	}
	crowd = crowdOf(t, 3, `redis.call("GET", "n") redis.call("GET", "n")`)
	crowd.Next(engine.Outcome{})
	crowd.Next(engine.Outcome{}) // the first one goes to the end
	if n := held(); n < one*3/2 {
		t.Errorf("two clients hold %d bytes, and one %d", n, one)
	}
}

// A crowd stands where the client stands whose turn it is.
func TestWhereACrowdStands(t *testing.T) {
	crowd := crowdOf(t, 2, `
		local n = redis.call("GET", me)
		redis.call("SET", me, n)
		say(n)`)
	stands := func() string { return where(crowd.(engine.Positioned).Position()) }
	got := []string{stands()}
	crowd.Next(engine.Outcome{})
	got = append(got, stands())
	for _, answer := range []string{"1", "2", "OK", "", "OK", ""} {
		crowd.Next(replied(reply.OfBulk(answer)))
		got = append(got, stands())
	}
	want := []string{
		"nowhere", "buyer:2", "buyer:2", `buyer:3 n="1"`, `buyer:4 n="1"`, `buyer:3 n="2"`, `buyer:4 n="2"`, "nowhere",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it stands\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The lines of a crowd are those of the client whose turn it is.
func TestTheLinesOfACrowdAreTold(t *testing.T) {
	crowd := crowdOf(t, 2, `
		redis.call("GET", me)
		say(me)`)
	var lines []string
	crowd.(engine.Positioned).Watch(func(p *engine.Position) bool {
		lines = append(lines, where(p))
		return true
	})
	for range 3 {
		crowd.Next(engine.Outcome{})
	}
	if want := []string{"buyer:2", "buyer:3", "buyer:2"}; !slices.Equal(lines, want) {
		t.Errorf("it runs %q, want %q", lines, want)
	}
}

// Whether a client reads its clock counts also when it has ended.
func TestACrowdCountsItsReadsOfTheClock(t *testing.T) {
	crowd := crowdOf(t, 3, `redis.call("SET", me, now()) redis.call("GET", me)`)
	reads := func() int { return crowd.(engine.Digester).ClockReads() }
	var got []int
	for range 8 {
		got = append(got, reads())
		crowd.Next(engine.Outcome{})
	}
	if want := []int{0, 1, 2, 3, 3, 3, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("they have read the clock %v times, want %v", got, want)
	}
}
