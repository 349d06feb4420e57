package decode_test

import (
	"errors"
	"strings"
	"testing"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// An author who reads Chinese is told in Chinese why a lesson may not use a command, and what to write instead.
func TestAdviceSpeaksChinese(t *testing.T) {
	const head = "title: {en: T, zh: 题}\nsummary: {en: S, zh: 述}\nchapter: simple\nlevel: basic\n"
	for _, c := range []struct{ text, told string }{
		{head + "actors:\n  A:\n    program: |\n      redis.call('TIME')\nstory: [{run: A}]\nscripts:\n  s: {source: \"return redis.call('RANDOMKEY')\"}\n", "内置的 Redis 没有它"},
		{head + "resolution: [1]\nactors:\n  A: {program: x = 1}\nstory: [{run: A}]\n", "请写时长，如 30s 或 1500ms"},
		{head + "actors:\n  A: {process: jvm-1}\nstory: [{run: A}]\n", "请写 program:，把 Lua 放在 | 之后"},
		{head + "actors:\n  A: {program: x = 1}\nstory: [{run: A, expect: {locks: 1}}]\n", "请写 locks: {stock/10: [A X, B waits X]} 或 locks: {stock/10: []}"},
		{head + "client: nobody\nactors:\n  A: {program: x = 1}\nstory: [{run: A}]\n", `没有 "nobody" 这个锁客户端`},
	} {
		_, err := decode.Library{Texts: map[string]string{"001-x/lesson.yaml": c.text}}.Lesson("001-x")
		found, ok := errors.AsType[lessons.Problems](err)
		if !ok {
			t.Fatal(err)
		}
		told := ""
		for _, p := range found {
			for _, f := range []fact.Fact{p.Message, p.Advice} {
				told += fact.Chinese.Tell(f, func(arg any) any { return arg }) + "\n"
			}
		}
		if !strings.Contains(told, c.told) {
			t.Errorf("%s\nis told as\n%s\nwithout %s", c.text, told, c.told)
		}
	}
}
