package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const example = `package p

func (a *account) take(n int) bool {
	if n > 0 && a.open() {
		a.left -= n
		defer a.note(
			n,
		)
	}
	return !a.empty
}

const most = 10
`

func TestChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "account.go")
	if err := os.WriteFile(path, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	changes, err := changesIn(path, "p/account.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		if c.in != "account.take" && c.in != "" || c.file != "p/account.go" {
			t.Errorf("%s:%d is said to be in %s", c.file, c.line, c.in)
		}
		if before, after := strings.Count(example, "\n"), strings.Count(c.applied(example), "\n"); before != after {
			t.Errorf("with %q there are %d lines, and were %d", c.would, after, before)
		}
		got = append(got, c.would)
	}
	want := []string{
		"if (n > 0 && a.open()) || true {",
		"if (n > 0 && a.open()) && false {",
		"if n > 0 || a.open() {",
		"if n >= 0 && a.open() {",
		"if n <= 0 && a.open() {",
		"if n > 1 && a.open() {",
		"a.left += n",
		"",
		"return a.empty",
		"const most = 11",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestExplained(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survivors.txt")
	c := change{file: "p/account.go", in: "account.take", was: "defer a.note( n, )", would: ""}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# A comment.\n\n" + c.block() + "\nThe note is for people only,\nand nobody reads it.\n")
	reasons, err := explained(path)
	if err != nil || reasons[c.id()] != "The note is for people only, and nobody reads it." {
		t.Errorf("the reasons are %q, %v", reasons, err)
	}
	write(c.block() + "\n")
	if _, err := explained(path); err == nil {
		t.Error("a change without a reason is taken")
	}
}
