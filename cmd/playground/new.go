package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
)

var newCommand = command{
	name: "new", args: "[NAME] [flags]", summary: "create a small working lesson to start from",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		dir := flags.String("dir", ".", "`DIR` to write the lesson's folder to")
		kinds := lessons.KindNames()
		known := fact.Text(fact.OneOf(kinds))
		kind := flags.String("kind", kinds[0], fmt.Sprintf("`KIND` of server that the lesson is about: %v", known))
		from := &fromFlags{}
		several(flags, &from.files, "from", "`FILE` with lock scripts, in Lua or in the code of a program, to make the lesson of; may be repeated")
		flags.StringVar(&from.lock, "lock", "", "`NAME` of the script among them that takes the lock, where another one was chosen")
		flags.StringVar(&from.unlock, "unlock", "", "`NAME` of the script that gives it back, or a file with it")
		return func(ctx context.Context, t terminal, args []string) error {
			if len(from.files) > 0 && len(args) == 0 {
				args = []string{nameFrom(from.files[0])}
			}
			switch {
			case len(args) != 1:
				return usage("new needs one name, as in: playground new fencing-token")
			case len(from.files) == 0 && from.lock+from.unlock != "":
				return usage("--lock and --unlock choose among the scripts of --from FILE")
			case !slices.Contains(kinds, *kind):
				return usage("there is no kind %q: use %v", *kind, known)
			}
			if len(from.files) > 0 {
				return from.writeNew(ctx, t, *dir, args[0])
			}
			return writeNew(t, *dir, args[0], func(_, name, path string) ([]lessons.File, error) {
				return author.New(lessons.NodeKind(*kind), name, word(path)), nil
			})
		}
	},
	more: `NAME has small letters, digits and -. The folder gets the next free number, which is
the lesson's place among the others; write it before the name to choose another:
playground new 07-fencing-token. Nothing is ever overwritten.

With --from it is made of your own scripts: two clients that take the lock and give it back, the rules that
fit, and verdicts of a search, which is run at once. The scripts stand in the lesson as they are. Without a NAME
it is called after FILE.
`,
}

// writeNew writes a lesson's folder, of the files that are made for it.
func writeNew(t terminal, dir, wanted string, made func(folder, name, path string) ([]lessons.File, error)) error {
	number, name, err := splitName(wanted)
	if err != nil {
		return usage("%v", err)
	}
	folder, err := freeFolder([]decode.Library{{FS: os.DirFS(dir), Shown: dir}}, number, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("the folder %s cannot be opened: %w", dir, err)
	}
	defer func() { _ = root.Close() }()
	path := filepath.Join(dir, folder)
	files, err := made(folder, name, path)
	if err != nil {
		return err
	}
	if err := writeLesson(root, folder, files); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = file.Name
	}
	fmt.Fprintf(t.out, "%s has %s. Next:\n", path, strings.Join(names, ", "))
	for _, next := range []string{"check " + word(path), "serve --lessons " + word(dir), "schema > " + word(filepath.Join(dir, "lesson.schema.json"))} {
		fmt.Fprintf(t.out, "  playground %s\n", next)
	}
	return nil
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// word is a path as a shell takes it.
func word(path string) string {
	if plainWord.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
