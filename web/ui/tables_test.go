package ui

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

// aStock is a view of a SQL server: A has written a row, B waits for it, and C keeps a gap.
func aStock(lang lessons.Lang) *View {
	was := engine.Key{Name: "stock/10", Type: engine.RowKey, Items: []engine.Item{{Name: "id", Value: "10"}, {Name: "stock", Value: "5"}}, Deadline: engine.NoDeadline}
	now := was
	now.Pending = engine.Pending{By: "A", Items: []engine.Item{{Name: "id", Value: "10"}, {Name: "stock", Value: "4"}}}
	node := engine.NodeView{
		Node: "db", Keys: []engine.Key{now},
		Holds: []engine.Hold{{Key: "stock/10", Actor: "A", Mode: engine.HoldsAlone}, {Key: "stock/10", Actor: "B", Mode: engine.HoldsAlone, Waits: true}, {Key: "stock/+∞", Actor: "C", Mode: engine.HoldsGap}},
		Waits: []engine.Wait{{Actor: "B", Keys: []string{"stock/10"}, By: []string{"A"}, Until: engine.NoDeadline}},
	}
	lesson := &lessons.Lesson{Name: "sql", Nodes: []lessons.Node{{Name: "db", Kind: lessons.SQL}}, Actors: []lessons.Actor{{Name: "A", Process: "p"}, {Name: "B", Process: "p"}, {Name: "C", Process: "p"}}}
	step := engine.Step{N: 1, Choice: engine.Choice{Kind: engine.Run, Target: "A"}, Changes: []engine.Change{{Node: "db", Key: "stock/10", Old: &was, New: &now}}, After: engine.Snapshot{Nodes: []engine.NodeView{node}}}
	return &View{
		Lang: lang, Lesson: lesson, Pos: 1,
		Trace: &engine.Trace{Start: engine.Snapshot{Nodes: []engine.NodeView{{Node: "db", Keys: []engine.Key{was}}}}, Steps: []engine.Step{step}},
	}
}

func TestRowsShowWhatIsNotCommittedAndWhoLocks(t *testing.T) {
	for lang, want := range map[lessons.Lang][]string{
		lessons.En: {"Rows and locks", "db: a small SQL server", "A has written, uncommitted: stock 5 → 4", "A has the exclusive lock (X)", "B waits for the exclusive lock (X)", "stock/+∞", "C has a lock on the gap before it", "B waits here for stock/10, because of A"},
		lessons.Zh: {"行与锁", "db：演练场自带的小型 SQL 服务器", "A 已写入，未提交：stock 5 → 4", "A 持有排他锁（X）", "B 等待排他锁（X）", "C 持有前方间隙的锁"},
	} {
		var b strings.Builder
		if err := keyspace(aStock(lang)).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("<wbr>", "").Replace(b.String())
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the panel lacks %q:\n%s", lang, w, text)
			}
		}
		if strings.Contains(text, "TTL") {
			t.Errorf("%s: a row has a TTL:\n%s", lang, text)
		}
	}
}

func TestWhatBecomesOfARow(t *testing.T) {
	row := func(stock, by, pending string) *engine.Key {
		k := &engine.Key{Name: "stock/10", Type: engine.RowKey, Deadline: engine.NoDeadline}
		if stock != "" {
			k.Items = []engine.Item{{Name: "stock", Value: stock}}
		}
		k.Pending.By = by
		if pending != "" {
			k.Pending.Items = []engine.Item{{Name: "stock", Value: pending}}
		}
		return k
	}
	text := func(entry string) *engine.Key {
		return &engine.Key{Name: "stock/10", Type: engine.RowKey, Deadline: engine.NoDeadline, Items: []engine.Item{{Name: "entry", Value: entry}}}
	}
	for _, c := range []struct {
		old, now *engine.Key
		want     string
	}{
		{row("5", "", ""), row("5", "A", "4"), "stock/10: A has written, uncommitted: stock 5 → 4"},
		{row("5", "", ""), row("5", "A", ""), "stock/10: A has deleted it, uncommitted"},
		{nil, row("", "A", "4"), "stock/10: A has inserted, uncommitted: {stock: 4}"},
		{row("", "A", "4"), row("4", "", ""), "stock/10: a new row {stock: 4}"},
		{row("5", "A", "4"), row("4", "", ""), "stock/10: stock 5 → 4"},
		{text(""), text("from B"), `stock/10: entry "" → from B`},
		{row("5", "A", "4"), row("5", "", ""), "stock/10: what A had written is rolled back"},
		{row("5", "A", "4"), row("4", "B", "3"), "stock/10: stock 5 → 4, B has written, uncommitted: stock 4 → 3"},
		{row("5", "", ""), nil, "stock/10 was deleted"},
		{row("", "A", "4"), nil, "stock/10: what A had written is rolled back"},
		{row("", "A", ""), nil, "stock/10 was deleted"}, // by A, which had inserted it
	} {
		step := &engine.Step{After: engine.Snapshot{Nodes: []engine.NodeView{{Node: "db"}}}}
		if got := changeSentence(lessons.En, step, engine.Change{Node: "db", Key: "stock/10", Old: c.old, New: c.now}); got != c.want {
			t.Errorf("said %q, want %q", got, c.want)
		}
	}
}

// The word beside a row tells a rollback from a commit.
func TestARowThatIsRolledBackHasNotChanged(t *testing.T) {
	row := func(stock, by, pending string) *engine.Key {
		k := &engine.Key{Name: "stock/10", Type: engine.RowKey, Deadline: engine.NoDeadline, Items: []engine.Item{{Name: "stock", Value: stock}}}
		if k.Pending.By = by; pending != "" {
			k.Pending.Items = []engine.Item{{Name: "stock", Value: pending}}
		}
		return k
	}
	for _, c := range []struct {
		old, now *engine.Key
		want     string
	}{
		{row("5", "A", "4"), row("5", "", ""), "rolled back"},
		{row("5", "A", ""), row("5", "", ""), "rolled back"}, // A had deleted it
		{row("5", "A", "4"), row("4", "", ""), "changed"},
		{row("5", "A", "5"), row("5", "", ""), "changed"},
		{row("5", "", ""), row("5", "A", "4"), "changed"},
	} {
		r := keyRow{Key: *c.now}
		r.compare(&engine.Step{}, engine.Change{Node: "db", Key: "stock/10", Old: c.old, New: c.now})
		if got := r.badge(lessons.En); got != c.want {
			t.Errorf("%v → %v says %q, want %q", c.old, c.now, got, c.want)
		}
	}
}
