package lessons_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

const givenLesson = `title: {en: T, zh: 题}
summary: {en: S, zh: 文}
chapter: more
level: basic
nodes: {m: {}, r: {replica-of: m}, n: {}}
given:
  stock: 1
  lock: [{value: A, ttl: 10s}, {node: n, value: B}]
  hash: {value: {A: 1}}
  list: {value: [b, a, b]}
  set: {type: set, value: [b, a]}
  scores: {type: zset, value: {late: 20, early: 3}, ttl: 2s}
actors:
  A: {program: 'redis.call("GET", "stock")'}
story:
  - {run: A, expect: {reply: '"1"'}}
`

func TestGivenKeysAreThereAtTheStart(t *testing.T) {
	l, world := opened(t, givenLesson)
	var told []string
	for _, n := range world.Snapshot().Nodes {
		for _, k := range n.Keys {
			text := n.Node + " " + k.Name + " " + k.Value()
			if k.Deadline != engine.NoDeadline {
				text += " " + engine.FormatSpan(k.Deadline)
			}
			told = append(told, text)
		}
	}
	onLeader := func(n string) string {
		return strings.ReplaceAll(`N hash hash {A: 1}
N list list [b, a, b]
N lock string A 10s
N scores zset {early: 3, late: 20} 2s
N set set {a, b}
N stock string 1
`, "N ", n+" ")
	}
	if want := onLeader("m") + onLeader("r") + "n lock string B\n"; strings.Join(told, "\n")+"\n" != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(told, "\n"), want)
	}
	if view, _ := world.Snapshot().Node("r"); len(view.Queue) > 0 {
		t.Errorf("r lacks %v", view.Queue)
	}
	other, _ := opened(t, strings.Replace(givenLesson, "stock: 1", "stock: 2", 1))
	without, _ := opened(t, givenLesson[:strings.Index(givenLesson, "given:")]+givenLesson[strings.Index(givenLesson, "actors:"):])
	if l.Hash == other.Hash || l.Hash == without.Hash {
		t.Errorf("the hash %s does not tell what is given", l.Hash)
	}
}

// opened is a lesson and its world at the start.
func opened(t *testing.T, yaml string) (*lessons.Lesson, *engine.World) {
	t.Helper()
	l, err := decode.Lesson(fstest.MapFS{"01-x/lesson.yaml": {Data: []byte(yaml)}}, "01-x")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Scenario(l.Open(lessons.Embedded))
	if err != nil {
		t.Fatal(err)
	}
	world, err := engine.NewWorld(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return l, world
}
