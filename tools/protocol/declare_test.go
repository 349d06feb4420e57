package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The page's modules are checked against what the player sends and reads.
func TestTheTypesAreThoseOfThePlayer(t *testing.T) {
	const repository = "../.."
	want, err := declarations(repository)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(repository, target))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is\n%s\nand the player's types are\n%s\nrun make generate", target, got, want)
	}
}
