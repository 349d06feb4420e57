// Package conversation plays what a few clients say to a node, from texts that have below each line
// what comes of it: the contract that every node of a kind keeps, embedded or real.
package conversation

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
)

// Suite is the conversations with the servers of a kind. Each begins with a line "== NAME" on an
// empty server.
//
//	> CREATE TABLE …   is said before the start; what comes of it is told when it is an error
//	A> SELECT …        is said by A, which is alone in its process
//	A@app/c1> SELECT … is said by A, of the process app, on the connection c1 that this shares
//	$ at 50s           moves the clock, as $ tick 10s does from where it is
//	$ crash A          happens to the process of A; so do pause, resume, cut and heal
//	$ disconnect A     ends the program of A
//	$ look             shows all that the server holds
//	# …                is for people
type Suite struct {
	Texts fs.FS                      // *.txt in its folder testdata
	Args  func(said string) []string // of what a client says
}

// Words are those of what a client says. One in double quotes may have blanks, or nothing, in it.
func Words(said string) []string {
	words := strings.Fields(said)
	for i, w := range words {
		if plain, err := strconv.Unquote(w); err == nil {
			words[i] = plain
		}
	}
	return words
}

// Run plays every text on a node.
func (s Suite) Run(t *testing.T, open func(*testing.T) engine.Node) {
	s.each(t, open, func(t *testing.T, _, want, got string) { compare(t, want, got) })
}

// Each plays every text on a node, and hands out what it should be from now on.
func (s Suite) Each(t *testing.T, open func(*testing.T) engine.Node, is func(name, text string)) {
	s.each(t, open, func(_ *testing.T, name, _, got string) { is(name, got) })
}

func (s Suite) each(t *testing.T, open func(*testing.T) engine.Node, played func(t *testing.T, name, want, got string)) {
	names, err := fs.Glob(s.Texts, "testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("the suite has no conversations: %v", err)
	}
	for _, name := range names {
		want, err := fs.ReadFile(s.Texts, name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(path.Base(name), ".txt"), func(t *testing.T) {
			got, err := s.Play(t.Context(), open(t), string(want))
			if err != nil {
				t.Fatal(err)
			}
			played(t, name, string(want), got)
		})
	}
}

// compare shows the first line that differs, and the conversation so far.
func compare(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	said := 0
	for i := range min(len(w), len(g)) {
		if strings.HasPrefix(w[i], "==") {
			said = i
		}
		if w[i] != g[i] {
			t.Fatalf("line %d:\n%s\nis expected to be\n%s\nand is\n%s", i+1, strings.Join(w[said:i], "\n"), w[i], g[i])
		}
	}
	if len(w) != len(g) {
		t.Fatalf("there are %d lines, and %d were expected", len(g), len(w))
	}
}

// Play plays a text on a node and returns it with what came of each line.
func (s Suite) Play(ctx context.Context, node engine.Node, text string) (string, error) {
	p := player{node: node, args: s.Args}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if err := p.line(ctx, line); err != nil {
			return p.out.String(), fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return p.out.String(), nil
}

// Draw plays the first lines of a conversation on a node, then so many that are drawn, and a look. It
// returns the text with what came of each line.
func (s Suite) Draw(ctx context.Context, node engine.Node, first []string, lines int, draw func(context.Context) (string, error)) (string, error) {
	p := player{node: node, args: s.Args}
	for _, line := range first {
		if err := p.line(ctx, line); err != nil {
			return "", err
		}
	}
	for range lines {
		line, err := draw(ctx)
		if err == nil {
			err = p.line(ctx, line)
		}
		if err != nil {
			return "", err
		}
	}
	err := p.line(ctx, "$ look")
	return p.out.String(), err
}
