package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"lockstep/lessons/author"
)

var newCommand = command{
	name: "new", args: "NAME [flags]", summary: "write a small lesson that runs, to begin one's own with",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		dir := flags.String("dir", ".", "`DIR` to write it in, beside other lessons")
		return func(_ context.Context, t terminal, args []string) error {
			if len(args) != 1 {
				return usage("new needs one name, as in: playground new fencing-token")
			}
			return writeNew(t, *dir, args[0])
		}
	},
	more: `NAME has small letters, digits and -. The folder gets the next free number, which is
the lesson's place among the others; write it before the name to choose another:
playground new 07-fencing-token. Nothing is ever overwritten.
`,
}

var newName = regexp.MustCompile(`^(?:([0-9]{1,4})-)?([a-z][a-z0-9-]{0,39})$`)

func writeNew(t terminal, dir, name string) error {
	m := newName.FindStringSubmatch(name)
	if m == nil {
		return usage("%q cannot be the name of a lesson: write small letters, digits and -, as in fencing-token", name)
	}
	folder, err := freeFolder(dir, m[1], m[2])
	if err != nil {
		return err
	}
	path := filepath.Join(dir, folder)
	files := author.New(m[2], word(path))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", path, err)
	}
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = file.Name
		if err := os.WriteFile(filepath.Join(path, file.Name), []byte(file.Text), 0o644); err != nil {
			return fmt.Errorf("%s cannot be written: %w", filepath.Join(path, file.Name), err)
		}
	}
	fmt.Fprintf(t.out, "%s has %s. Next:\n", path, strings.Join(names, ", "))
	for _, next := range []string{"check " + word(path), "serve --lessons " + word(dir), "schema > " + word(filepath.Join(dir, "lesson.schema.json"))} {
		fmt.Fprintf(t.out, "  playground %s\n", next)
	}
	return nil
}

// freeFolder is the name of a folder that there is not yet. Without a number it
// gets the one after the highest.
func freeFolder(dir, number, name string) (string, error) {
	own, err := catalog()
	if err != nil {
		return "", err
	}
	for _, l := range own {
		if l.Name == name {
			return "", fmt.Errorf("the playground comes with a lesson %q: choose another name", name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the folder %s cannot be read: %w", dir, err)
	}
	highest := 0
	for _, e := range entries {
		m := newName.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		if m[2] == name {
			return "", fmt.Errorf("%s is there already: choose another name", filepath.Join(dir, e.Name()))
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			highest = max(highest, n)
		}
	}
	if number == "" {
		number = fmt.Sprintf("%02d", highest+1)
	}
	return number + "-" + name, nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// word is a path as a shell takes it.
func word(path string) string {
	if plainWord.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
