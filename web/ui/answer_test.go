package ui

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/reply"
	"lockstep/lessons"
)

// A reply is said in the words of who asked, and beside an arrow in few.
func TestAnswersAreSaidAsTheirReadersKnowThem(t *testing.T) {
	ask := func(node string, args ...string) engine.Exec {
		return engine.Exec{Node: node, Op: engine.Op{Args: args}}
	}
	stat := reply.OfMap(reply.OfBulk("czxid"), reply.OfInt(3), reply.OfBulk("mzxid"), reply.OfInt(4), reply.OfBulk("version"), reply.OfInt(1), reply.OfBulk("owner"), reply.OfBulk("app-1"))
	names := reply.OfArray(reply.OfBulk("lock-0000000000"), reply.OfBulk("lock-0000000012"))
	row := reply.OfMap(reply.OfStatus("stock"), reply.OfInt(3), reply.OfStatus("version"), reply.OfInt(1))
	for _, tt := range []struct {
		to                         engine.Exec
		r                          reply.Reply
		asked, english, zh, beside string
	}{
		{ask("zk", "create", "/lock/lock-", "A", "ephemeral", "sequential"), reply.OfArray(reply.OfBulk("/lock/lock-0000000001"), reply.OfInt(5)), "zk.create(/lock/lock-, A, ephemeral, sequential)", "/lock/lock-0000000001, czxid 5", "/lock/lock-0000000001, czxid 5", "lock-…1"},
		{ask("zk", "create", "/stock", ""), reply.OfError("NODEEXISTS for /stock"), `zk.create(/stock, "")`, "(error) NODEEXISTS for /stock", "(error) NODEEXISTS for /stock", "NODEEXISTS for /stock"},
		{ask("zk", "children", "/lock"), names, "zk.children(/lock)", "lock-0000000000, lock-0000000012", "lock-0000000000, lock-0000000012", "lock-…0, lock-…12"},
		{ask("zk", "children", "/lock"), reply.OfArray(), "zk.children(/lock)", "no children", "没有子节点", "没有子节点"},
		{ask("zk", "exists", "/lock", "watch"), stat, "zk.exists(/lock, watch)", "czxid 3, version 1, ephemeral, of app-1", "czxid 3，版本 1，临时节点，属于 app-1", "存在"},
		{ask("zk", "exists", "/lock"), reply.Reply{}, "zk.exists(/lock)", "not there", "不存在", "不存在"},
		{ask("zk", "get", "/lock"), reply.OfArray(reply.OfBulk("A"), stat), "zk.get(/lock)", `"A", czxid 3, version 1, ephemeral, of app-1`, `"A", czxid 3，版本 1，临时节点，属于 app-1`, `"A"`},
		{ask("zk", "set", "/lock", "A"), stat, "zk.set(/lock, A)", "czxid 3, version 1, ephemeral, of app-1", "czxid 3，版本 1，临时节点，属于 app-1", "版本 1"},
		{ask("db", "UPDATE stock SET stock = 1 WHERE id = 10"), reply.OfInt(1), "UPDATE stock SET stock = 1 WHERE id = 10", "1 row", "1 行", "1 行"},
		{ask("db", "UPDATE stock SET stock = 1 WHERE id = 10"), reply.OfInt(0), "UPDATE stock SET stock = 1 WHERE id = 10", "0 rows", "0 行", "0 行"},
		{ask("db", "SELECT * FROM stock WHERE id = 10"), reply.OfArray(row), "SELECT * FROM stock WHERE id = 10", "stock: 3, version: 1", "stock: 3, version: 1", "stock: 3, version: 1"},
		{ask("db", "SELECT * FROM stock WHERE id = 10"), reply.OfArray(), "SELECT * FROM stock WHERE id = 10", "no row", "空结果", "空结果"},
		{ask("redis", "EXISTS", "lock"), reply.OfInt(1), "EXISTS lock", "1", "1", "1"},
	} {
		if got := requestText(lessons.En, tt.to, span); got != tt.asked {
			t.Errorf("the request is %s, want %s", got, tt.asked)
		}
		if got := answered(lessons.En, tt.to, &tt.r); got != tt.english {
			t.Errorf("%s: %s, want %s", tt.asked, got, tt.english)
		}
		if got := answered(lessons.Zh, tt.to, &tt.r); got != tt.zh {
			t.Errorf("%s: %s, want %s", tt.asked, got, tt.zh)
		}
		if got := answeredShort(lessons.Zh, tt.to, &tt.r); got != tt.beside {
			t.Errorf("%s, beside its arrow: %s, want %s", tt.asked, got, tt.beside)
		}
	}
}
