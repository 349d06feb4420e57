package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"lockstep/lessons"
)

var listCommand = command{
	name: "list", summary: "list the lessons",
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		asJSON := flags.Bool("json", false, "write them as JSON, in both languages")
		return func(_ context.Context, t terminal, _ []string) error {
			all, err := catalog()
			if err != nil {
				return err
			}
			if *asJSON {
				return listJSON(t.out, all)
			}
			table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
			for i, l := range all {
				fmt.Fprintf(table, "%3d\t%s\t%s\t%s\n", i+1, l.Name, l.Level, l.Title.En)
			}
			return table.Flush()
		}
	},
}

type lessonJSON struct {
	Name    string    `json:"name"`
	Title   textJSON  `json:"title"`
	Summary textJSON  `json:"summary"`
	Chapter string    `json:"chapter"`
	Level   string    `json:"level"`
	Sources []string  `json:"sources"`
	Actors  []string  `json:"actors"`
	Steps   int       `json:"steps"` // of the story
	Hash    string    `json:"hash"`  // that schedules carry
	Asks    []askJSON `json:"asks"`
}

// askJSON is a question of the story.
type askJSON struct {
	Step     int      `json:"step"` // after which it is asked
	Question textJSON `json:"question"`
	Options  []string `json:"options"`           // to choose from; none: the answer is typed
	UntilMS  int64    `json:"untilMs,omitempty"` // how far the end of a lease can be dragged, for an answer that is a time
	ByMS     int64    `json:"byMs,omitempty"`    // in which steps
}

func asksJSON(l *lessons.Lesson) []askJSON {
	all, at := []askJSON{}, 0
	for _, b := range l.Story {
		if b.Ask != nil {
			reach, stride := l.Drag(b.Ask)
			all = append(all, askJSON{
				Step: at, Question: textJSON(b.Ask.Question), Options: append([]string{}, l.Options(b.Ask)...),
				UntilMS: reach.Milliseconds(), ByMS: stride.Milliseconds(),
			})
		}
		at += len(b.Choices)
	}
	return all
}

type textJSON struct {
	En string `json:"en"`
	Zh string `json:"zh"`
}

func listJSON(w io.Writer, all []*lessons.Lesson) error {
	out := []lessonJSON{}
	for _, l := range all {
		out = append(out, lessonJSON{
			Name: l.Name, Title: textJSON(l.Title), Chapter: l.Chapter, Level: string(l.Level),
			Summary: textJSON{strings.TrimSpace(l.Summary.En), strings.TrimSpace(l.Summary.Zh)},
			Sources: append([]string{}, l.Sources...), Steps: len(l.Choices()), Hash: l.Hash, Asks: asksJSON(l), Actors: l.ActorNames(),
		})
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
