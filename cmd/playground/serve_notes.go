package main

import (
	"errors"
	"fmt"
	"log/slog"
)

// notes are what serve says while it runs: sentences on the terminal beside its log or, with --log json, lines of that.
type notes struct {
	terminal
	log  *slog.Logger
	json bool
}

func (f *operateFlags) notes(t terminal) notes {
	if f.log == "json" {
		return notes{t, slog.New(slog.NewJSONHandler(t.err, nil)), true}
	}
	return notes{t, slog.New(slog.NewTextHandler(t.err, nil)), false}
}

func (n notes) say(text string) {
	if n.json {
		n.log.Info(text)
	} else {
		fmt.Fprintln(n.out, text)
	}
}

func (n notes) warn(text string) {
	if n.json {
		n.log.Warn(text)
	} else {
		fmt.Fprintln(n.err, text)
	}
}

// end is the error with which serve ends, once it is told.
func (n notes) end(err error) error {
	if err == nil || !n.json {
		return err
	}
	n.log.Error(err.Error())
	if _, bad := errors.AsType[usageError](err); bad {
		return exitWith(exitUsage)
	}
	return exitWith(exitFailed)
}
