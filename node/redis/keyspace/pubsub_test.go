package keyspace

import (
	"fmt"
	"testing"
)

func TestPublishReachesSubscribers(t *testing.T) {
	k := New()
	k.Subscribe(ToChannel, "jvm-2", "a")
	k.Subscribe(ToChannel, "jvm-1", "a")
	k.Subscribe(ToChannel, "jvm-1", "a")
	k.Subscribe(ToChannel, "jvm-1", "b")
	for _, c := range []struct {
		command string
		heard   int64
	}{{"PUBLISH a first", 2}, {"PUBLISH b second", 1}, {"PUBLISH a third", 2}, {"PUBLISH none lost", 0}, {"SPUBLISH a shard", 0}} {
		if got := k.Do(words(c.command)); got.Int != c.heard {
			t.Errorf("%s answers %s, want %d", c.command, got, c.heard)
		}
	}
	want := "[{jvm-1 a first  0} {jvm-1 b second  0} {jvm-1 a third  0} {jvm-2 a first  0} {jvm-2 a third  0}]"
	if got := fmt.Sprint(k.TakeDeliveries()); got != want {
		t.Errorf("delivered %s, want %s", got, want)
	}
	if again := k.TakeDeliveries(); len(again) != 0 {
		t.Errorf("delivered %v a second time", again)
	}
}

func TestPatternsAndShardChannels(t *testing.T) {
	k := New()
	k.Subscribe(ToPattern, "p", "news.*")
	k.Subscribe(ToPattern, "p", "*")
	k.Subscribe(ToPattern, "q", "news.*")
	k.Subscribe(ToChannel, "p", "news.a")
	k.Subscribe(ToShard, "s", "news.a")
	k.Subscribe(ToShard, "s", "other")
	for _, c := range []struct{ command, answer string }{
		{"PUBLISH news.a x", "4"},
		{"PUBLISH other y", "1"},
		{"SPUBLISH news.a z", "1"},
		{"SPUBLISH none z", "0"},
		{"PUBSUB CHANNELS", `["news.a"]`},
		{"PUBSUB CHANNELS other*", "[]"},
		{"PUBSUB NUMSUB news.a other", `["news.a", 1, "other", 0]`},
		{"PUBSUB NUMPAT", "2"},
		{"PUBSUB SHARDCHANNELS", `["news.a", "other"]`},
		{"PUBSUB SHARDNUMSUB other", `["other", 1]`},
	} {
		if got := k.Do(words(c.command)).String(); got != c.answer {
			t.Errorf("%s answers %s, want %s", c.command, got, c.answer)
		}
	}
	got := ""
	for _, d := range k.TakeDeliveries() {
		got += fmt.Sprintf("%s:%d:%s:%s:%s ", d.Subscriber, d.Kind, d.Pattern, d.Channel, d.Payload)
	}
	if want := "p:0::news.a:x p:1:*:news.a:x p:1:news.*:news.a:x p:1:*:other:y q:1:news.*:news.a:x s:2::news.a:z "; got != want {
		t.Errorf("delivered %s, want %s", got, want)
	}
	before := k.Digest()
	k.Unsubscribe(ToPattern, "p", "*")
	if k.Digest() == before {
		t.Error("the digest does not see patterns")
	}
	for _, who := range []string{"p", "q", "s"} {
		k.Disconnect(who)
	}
	for kind, left := range k.audience.listeners {
		if left != nil {
			t.Errorf("everybody left, and %v listen to kind %d", left, kind)
		}
	}
}

func TestSubscriptionsEnd(t *testing.T) {
	k := New()
	for _, who := range []string{"p2", "p1"} {
		for _, channel := range []string{"b", "a"} {
			k.Subscribe(ToChannel, who, channel)
		}
	}
	if got := fmt.Sprint(k.Subscriptions(ToChannel)); got != "[{a p1 false} {a p2 false} {b p1 false} {b p2 false}]" {
		t.Errorf("subscriptions are %s", got)
	}
	k.Unsubscribe(ToChannel, "p1", "b")
	k.Unsubscribe(ToChannel, "p1", "never")
	before := k.Fork()
	k.Disconnect("p2")
	if got := fmt.Sprint(k.Subscriptions(ToChannel)); got != "[{a p1 false}]" {
		t.Errorf("subscriptions are %s", got)
	}
	if got := fmt.Sprint(before.Subscriptions(ToChannel)); got != "[{a p1 false} {a p2 false} {b p2 false}]" {
		t.Errorf("the fork's subscriptions are %s", got)
	}
}
