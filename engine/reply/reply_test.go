package reply_test

import (
	"encoding/json"
	"testing"

	"lockstep/engine/reply"
)

// each has every kind of reply, and how it is shown.
var each = []struct {
	reply reply.Reply
	text  string
	json  string
	flat  reply.Reply
}{
	{reply.Reply{}, "nil", `null`, reply.Reply{}},
	{reply.OK, "OK", `{"ok":"OK"}`, reply.OK},
	{reply.OfError("ERR x"), "(error) ERR x", `{"err":"ERR x"}`, reply.OfError("ERR x")},
	{reply.OfInt(-1), "-1", `-1`, reply.OfInt(-1)},
	{reply.OfBulk("a"), `"a"`, `"a"`, reply.OfBulk("a")},
	{reply.OfArray(), "[]", `[]`, reply.OfArray()},
	{reply.OfArray(reply.OfInt(1), reply.OfBulk("a")), `[1, "a"]`, `[1,"a"]`, reply.OfArray(reply.OfInt(1), reply.OfBulk("a"))},
	{reply.OfDouble("1.5"), "1.5", `{"double":"1.5"}`, reply.OfBulk("1.5")},
	{reply.OfMap(), "{}", `{"map":[]}`, reply.OfArray()},
	{
		reply.OfMap(reply.OfBulk("a"), reply.OfInt(1), reply.OfBulk("b"), reply.OfSet()),
		`{"a": 1, "b": {}}`, `{"map":[["a",1],["b",{"set":[]}]]}`,
		reply.OfArray(reply.OfBulk("a"), reply.OfInt(1), reply.OfBulk("b"), reply.OfSet()),
	},
	{
		reply.OfSet(reply.OfInt(1), reply.OfInt(2)), "{1, 2}", `{"set":[1,2]}`,
		reply.OfArray(reply.OfInt(1), reply.OfInt(2)),
	},
	{reply.OfBool(true), "true", `true`, reply.OfInt(1)},
	{reply.OfBool(false), "false", `false`, reply.OfInt(0)},
	{reply.OfBigNumber("123"), "123", `{"big_number":"123"}`, reply.OfBulk("123")},
	{reply.OfVerbatim("txt", "a"), `"a"`, `{"verbatim_string":{"format":"txt","string":"a"}}`, reply.OfBulk("a")},
	{reply.OfVerbatim("m", ""), `""`, `{"verbatim_string":{"format":"m  ","string":""}}`, reply.OfBulk("")},
}

func TestKinds(t *testing.T) {
	for i, c := range each {
		if got := c.reply.String(); got != c.text {
			t.Errorf("%#v is shown as %s, want %s", c.reply, got, c.text)
		}
		if got, err := json.Marshal(c.reply); err != nil || string(got) != c.json {
			t.Errorf("%s becomes %s, %v, want %s", c.reply, got, err, c.json)
		}
		if got := c.reply.Flat(); !got.Equal(c.flat) {
			t.Errorf("%s in RESP2 is %s, want %s", c.reply, got, c.flat)
		}
		for j, other := range each {
			if c.reply.Equal(other.reply) != (i == j) {
				t.Errorf("%s and %s: equal is %v", c.reply, other.reply, i != j)
			}
		}
	}
}
