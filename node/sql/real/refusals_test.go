package real

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/node/sample"
	"lockstep/node/sql"
)

// TestMistakesInTheWordsOfTheServer: what is refused as bad SQL before any server is asked,
// the server refuses in the same words.
func TestMistakesInTheWordsOfTheServer(t *testing.T) {
	s, err := StartPrivate(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := s.Node()
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer n.Close(t.Context())
	for _, text := range []string{
		"CREATE TABLE stock (id INT PRIMARY KEY, stock INT NOT NULL, version INT)",
		"CREATE TABLE locks (name VARCHAR(8) PRIMARY KEY, owner VARCHAR(8) NOT NULL)",
	} {
		if _, err := n.control.exec(text); err != nil {
			t.Fatal(err)
		}
	}
	beside := sql.NewNode()
	compared := 0
	for _, seed := range sample.BrokenStatements.Seeds(t) {
		text := broken(seed)
		want, err := beside.Exec(t.Context(), engine.Op{From: engine.Client{Actor: "A", Process: "A"}, Args: []string{text}})
		if err != nil || !strings.HasPrefix(want.Reply.Str, "ERROR 106") && !strings.HasPrefix(want.Reply.Str, "ERROR 1582") {
			continue
		}
		compared++
		if got, err := n.control.perform(text); err != nil || !got.Equal(want.Reply) {
			t.Errorf("%s\n\tembedded %s\n\tMariaDB  %s, %v", text, want.Reply, got, err)
		}
	}
	t.Logf("%d statements were compared", compared)
}

// TestNoMariaDB: without one, it is said what to run.
func TestNoMariaDB(t *testing.T) {
	installed := programs
	defer func() { programs = installed }()
	programs = []string{"no-such-mariadbd"}
	if _, err := StartPrivate(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "apt-get install mariadb-server-core") || !strings.Contains(err.Error(), "make servers") {
		t.Errorf("it says %v", err)
	}
}
