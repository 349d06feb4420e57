package player

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
	"lockstep/node/redis"
	"lockstep/node/redis/cluster"
)

// What stands beside a script's lines is what somebody sees who looks inside: the same
// lines, with the same replies.
func TestWhatIsFollowedIsWhatHappened(t *testing.T) {
	catalog := builtIn(t)
	for _, name := range []string{"redisson-lock", "fair-lock", "read-write-lock"} {
		d := openCatalog(t, catalog, name)
		for scripts := 0; ; {
			v := d.session.View()
			if v.Story.Next == nil {
				if scripts < 5 {
					t.Errorf("%s: only %d scripts were followed", name, scripts)
				}
				break
			}
			d.ok(`"op":"step","n":1`)
			v = d.session.View()
			exec, ok := v.Step().Request.(engine.Exec)
			if !ok || exec.Op.Script == nil {
				if v.Followed != nil {
					t.Fatalf("%s: step %d ran no script, and one was followed", name, v.Pos)
				}
				continue
			}
			if v.Followed == nil {
				continue // which a script that asks for an order is not
			}
			scripts++
			d.ok(`"op":"line","n":1`)
			if diff := cmp.Diff(ranOf(v.Step().Inside), ranOf(v.Followed)); diff != "" {
				t.Errorf("%s: step %d: %s", name, v.Pos, diff)
			}
			d.ok(`"op":"line","pos":0`)
		}
	}
}

// Whoever has left waits for no script, and who comes back sees what it did.
func TestWhatIsFollowedEndsWithItsSession(t *testing.T) {
	d := openScripted(t)
	for range 4 {
		d.ok(`"op":"step","n":1`)
	}
	d.session.now.followed = followed{}
	gone, leave := context.WithCancel(t.Context())
	leave()
	d.session.screen.dirty = true
	for _, m := range d.session.flush(gone) {
		d.take(m)
	}
	if d.session.View().Followed != nil {
		t.Error("a script was followed for nobody")
	}
	d.ok(`"op":"pause"`)
	if d.session.View().Followed == nil {
		t.Error("it is not followed any more")
	}
}

// ranOf is which lines ran, and what was answered there.
func ranOf(in *engine.Inside) []engine.Line {
	if in == nil {
		return nil
	}
	var lines []engine.Line
	for _, l := range in.Lines {
		lines = append(lines, engine.Line{Line: l.Line, Call: l.Call})
	}
	return lines
}

// Nothing stands beside the lines of a script that answered something else than it does in memory.
func TestAScriptThatAnswersSomethingElseIsNotFollowed(t *testing.T) {
	d := openScripted(t)
	for range 4 {
		d.ok(`"op":"step","n":1`)
	}
	v := d.session.View()
	if v.Followed == nil {
		t.Fatalf("step %d is not followed", v.Pos)
	}
	step, before := *v.Step(), v.Trace.At(v.Pos-1)
	other := reply.OfInt(7)
	step.Reply = &other
	if in := Inside(t.Context(), redis.NewNode(), before, &step); in != nil {
		t.Errorf("a script that answered %s was followed to %v", other, in.Lines)
	}
}

// A script of a cluster's member is refused beside its lines what it was refused in its step.
func TestAScriptIsFollowedAsOfAMemberOfTheCluster(t *testing.T) {
	l := fixture()
	l.Cluster = []cluster.Range{{Node: l.Nodes[0].Name, Last: cluster.Slots - 1}}
	l.Scripts = []lessons.Script{{Name: "unlock", Source: "#!lua\nredis.pcall('set', 'foo', 1)\nreturn redis.call('del', KEYS[1])"}}
	l.Client.Source = strings.Replace(library, `redis.call("DEL", name)`, `redis.eval("unlock", {name}, {me})`, 1)
	d := openCatalog(t, []*lessons.Lesson{l}, l.Name)
	for range 4 {
		d.ok(`"op":"step","n":1`)
	}
	v := d.session.View()
	d.ok(`"op":"line","n":1`)
	looked := d.session.View()
	if diff := cmp.Diff(ranOf(looked.Step().Inside), ranOf(v.Followed)); diff != "" || v.Followed == nil {
		t.Errorf("beside the lines stands something else: %s", diff)
	}
}
