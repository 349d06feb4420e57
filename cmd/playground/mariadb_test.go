package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lockstep/lessons"
	"lockstep/web/player"
)

// mariadbSession opens a lesson in which A and B send statements, on a real MariaDB.
func mariadbSession(t *testing.T, a string) *player.Session {
	t.Helper()
	engine := pageEngine(t, "mariadb", "", false)
	statement := func(text string) string { return fmt.Sprintf("local db = node('db')\ndb.query(%q)\n", text) }
	l := &lessons.Lesson{
		Name: "rows", Hash: "05711e00", Title: lessons.Text{En: "Rows", Zh: "行"}, Chapter: "sql", Level: lessons.Basic, Resolution: time.Minute,
		Nodes: []lessons.Node{{Name: "db", Kind: lessons.SQL}},
		Given: []lessons.Given{{Node: "db", Statement: "CREATE TABLE stock (id INT PRIMARY KEY)"}},
		Actors: []lessons.Actor{
			{Name: "A", Process: "app-1", Program: statement(a)},
			{Name: "B", Process: "app-2", Program: statement("SELECT * FROM stock")},
		},
	}
	p := &player.Playground{Catalog: player.NewCatalog([]*lessons.Lesson{l}), Engines: []player.Engine{player.Embedded{}, engine}}
	s := p.NewSession(t.Name())
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Load(t.Context(), player.Place{Lesson: l.Name, Engine: "mariadb", Lang: lessons.En}); err != nil {
		t.Fatal(err)
	}
	if v := s.View(); v.Notice != nil || v.Engine != "mariadb" {
		t.Fatalf("the lesson begins on %s with %+v", v.Engine, v.Notice)
	}
	return s
}

// TestBadSQLOnMariaDB: the error is that of the server, with the place in the program.
func TestBadSQLOnMariaDB(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT * FROM stok":  "ERROR 1146 (42S02): Table 'lockstep.stok' doesn't exist",
		"SELECT * FORM stock": "the right syntax to use near 'FORM stock' at line 1",
	} {
		s := mariadbSession(t, text)
		choose(t, s, "run A")
		v := s.View()
		if v.Notice != nil || len(v.Trace.Steps) != 1 {
			t.Fatalf("%s: %+v", text, v.Notice)
		}
		step := v.Trace.Steps[0].String()
		if !strings.Contains(step, want) || !strings.Contains(step, "A:2") {
			t.Errorf("%s: the step is %s, want %q in it, and the line", text, step, want)
		}
	}
}
