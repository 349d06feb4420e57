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
