package keyspace

import (
	"strings"
	"testing"
)

func TestStreamEntries(t *testing.T) {
	k := after(`XADD s 1-1 a 1
		XADD s 2-0 b two\swords '' x"y`)
	for e := range k.Entries() {
		var lines []string
		for _, it := range e.Items {
			lines = append(lines, it.Name+": "+it.Value)
		}
		got := e.Type + "\n" + strings.Join(lines, "\n")
		if want := "stream\n1-1: a 1\n2-0: b \"two words\" \"\" \"x\\\"y\""; got != want {
			t.Errorf("the entry shows\n%s\nwant\n%s", got, want)
		}
	}
	k.Do(words("XTRIM s MAXLEN 0"))
	if got := k.Do(words("XADD s 1-5 a b")); !got.IsError() {
		t.Errorf("an emptied stream forgot its last id: XADD answers %s", got)
	}
}

func TestAutomaticIDsFollowTheClock(t *testing.T) {
	k := New()
	for _, want := range []string{"1700000000000-0", "1700000000000-1"} {
		if got := k.Do(words("XADD s * a b")).Str; got != want {
			t.Errorf("the id is %s, want %s", got, want)
		}
	}
}

func TestATrimOfAStreamIsExact(t *testing.T) {
	k := after(`XADD s 1 a 1
		XADD s 2 a 1
		XADD s 3 a 1
		XADD s MAXLEN ~ 2 4 a 1`)
	if got := k.Do(words("XTRIM s MAXLEN ~ 1")); got.Int != 1 {
		t.Errorf("XTRIM deletes %s entries of two, want 1", got)
	}
}
