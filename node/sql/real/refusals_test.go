package real

import (
	"os"
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

// TestRefusalsTellBadSQLFromUnknown: of the statements of the contract, the server takes those that are refused
// as not supported, and refuses those that are bad SQL in the same words.
func TestRefusalsTellBadSQLFromUnknown(t *testing.T) {
	n := keptNode(t)
	if err := n.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		who, statement, says := strings.Cut(line, "> ")
		switch unknown, bad := strings.HasPrefix(line, "(error) ERROR 1235 "), strings.HasPrefix(line, "(error) ERROR 1064 "); {
		case says && who == "A":
			said = statement
		case unknown || bad:
			got, err := n.control.perform("PREPARE p FROM " + sql.Quote(said))
			if refused := strings.HasPrefix(got.Str, "ERROR 1064 "); err != nil || refused != bad || bad && got.String() != line {
				t.Errorf("%s\n\tembedded %s\n\tMariaDB  %s, %v", said, line, got, err)
			}
		}
	}
}

// TestNoMariaDB: without one, it is said what to run.
func TestNoMariaDB(t *testing.T) {
	installed := programs
	defer func() { programs = installed }()
	programs = []string{"no-such-mariadbd"}
	if _, err := StartPrivate(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "apt-get install mariadb-server-core") {
		t.Errorf("it says %v", err)
	}
}
