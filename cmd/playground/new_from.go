package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/engine/search"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/lessons/decode"
	"lockstep/lessons/draft"
)

// fromFlags say of which scripts `new` makes a lesson.
type fromFlags struct {
	files  []string
	lock   string
	unlock string // a file, or the name of a script
}

// Bounds of each search for a verdict of a lesson that was just made: all of them take a minute at most.
const (
	draftStates = 300_000
	draftTime   = 6 * time.Second
)

// bounded bounds the states and the time of each search of a draft.
func bounded(states int, span time.Duration) author.Each {
	return author.Each{States: states, Within: func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, span)
	}}
}

func (f *fromFlags) scripts() (scripts []draft.Script, chosen draft.Chosen, err error) {
	chosen = draft.Chosen{Take: f.lock, Give: f.unlock}
	files := f.files
	var none error // what is said when no file has a script
	without := map[string]string{}
	if _, err := os.Stat(f.unlock); f.unlock != "" && err == nil {
		files, chosen.Give = append(files, f.unlock), ""
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, chosen, fmt.Errorf("%s cannot be read: %w", file, cause(err))
		}
		found, err := draft.Scripts(file, string(text))
		var why fact.Fact
		switch {
		case i < len(f.files) && errors.As(err, &why) && (why.Code == "draft-no-script" || why.Code == "draft-script-elsewhere"):
			none, without[file] = err, string(text)
			continue
		case err != nil:
			return nil, chosen, err
		}
		scripts = draft.Add(scripts, found...)
		if i == len(f.files) { // of the file that unlocks
			chosen.Give = scripts[len(scripts)-len(found)].Name
		}
	}
	if len(scripts) == 0 {
		return nil, chosen, none
	}
	for _, file := range slices.Sorted(maps.Keys(without)) {
		scripts = draft.WithRemoval(scripts, file, without[file])
	}
	return scripts, chosen, nil
}

func (f *fromFlags) writeNew(ctx context.Context, t terminal, dir, wanted string) error {
	scripts, chosen, err := f.scripts()
	if err != nil {
		return err
	}
	return writeNew(t, dir, wanted, func(folder, _, _ string) ([]lessons.File, error) {
		fmt.Fprintln(t.err, "The scripts are tried, and every schedule is searched: this takes up to a minute.")
		made, err := author.Reader{}.Draft(ctx, folder, scripts, chosen, bounded(draftStates, draftTime))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(t.out, "It plays %s.", strings.Join(made.Played, ", "))
		if len(made.Left) > 0 {
			fmt.Fprintf(t.out, " Not played: %s; --lock and --unlock choose others.", strings.Join(made.Left, ", "))
		}
		fmt.Fprintln(t.out)
		for _, doubt := range made.Doubts {
			fmt.Fprintf(t.out, "Look at this: %s.\n", doubt.Error())
		}
		tellFound(t, made.Found)
		return made.Files, nil
	})
}

// tellFound prints how the searches ended, and each schedule once.
func tellFound(t terminal, found []lessons.Found) {
	if len(found) > 0 {
		fmt.Fprintf(t.out, "\nEvery schedule of the two clients: %s.\n", search.Arrive.Fact().Error())
	}
	said := map[string]bool{}
	for _, f := range found {
		says := "Nobody fails"
		if late := f.Question.Bounds.Time.Late; late > 0 {
			says = "Each request may be late by " + engine.FormatSpan(late)
		}
		for kind := range f.Question.Bounds.Faults {
			says = "One " + string(kind)
		}
		if f.Question.Invariant != "" {
			says += ", " + f.Question.Invariant + " alone"
		}
		switch v := f.Verdict; v.Ending {
		case search.Holds:
			coarse := ""
			if f.Coarse {
				coarse = ", with few stops of the clock"
			}
			fmt.Fprintf(t.out, "%s: it holds (%d states%s)\n", says, v.States, coarse)
		case search.Stops:
			fmt.Fprintf(t.out, "%s: nothing breaks in %d choices or fewer; more were not searched\n", says, max(v.Depth-1, 0))
		case search.Breaks:
			fmt.Fprintf(t.out, "%s: %s breaks in %d: %s\n", says, v.Violation.Invariant, v.Moves(), v.Violation.Detail.Error())
			schedule := engine.Schedule{Choices: v.Schedule}.String()
			for i := range f.Trace.Steps {
				if !said[schedule] {
					fmt.Fprintf(t.out, "  %s\n", headline(&f.Trace.Steps[i]))
				}
			}
			said[schedule] = true
		}
	}
}

// nameFrom is the name of a lesson that is made of a file, and of none that comes with the program.
func nameFrom(file string) string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	name = strings.Trim(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, name), "-0123456789")
	if own, err := ownLessons.Folders(); err == nil && slices.ContainsFunc(own, func(dir string) bool { return decode.NameOf(dir) == name }) {
		return "my-" + name
	}
	return name
}
