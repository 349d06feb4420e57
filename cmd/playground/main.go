// Command playground serves, plays, searches and checks lessons, and shows what clients of a Redis do.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// The exit codes, which scripts may rely on.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for did not come out well
	exitUsage  = 2 // it was asked for in a way that is not understood
)

type command struct {
	name    string
	args    string // as the usage line shows them
	summary string // one line
	more    string // what its help says after the flags
	// wrongUse is the exit code for wrong arguments; 0: the code of all other commands.
	wrongUse int
	// define adds the subcommand's flags and returns what runs it with the
	// arguments that are not flags.
	define func(*flag.FlagSet) func(ctx context.Context, t terminal, args []string) error
}

// commands lists the subcommands in the order in which help shows them.
func commands() []command {
	return []command{serveCommand, listCommand, runCommand, exploreCommand, newCommand, checkCommand, schemaCommand, exportCommand, redisCommand, attachCommand, helpCommand(), versionCommand}
}

// terminal is where a subcommand writes.
type terminal struct{ out, err io.Writer }

// usageError is a way of asking that is not understood.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := start(ctx, terminal{os.Stdout, os.Stderr}, os.Args[1:])
	stop()
	os.Exit(code)
}

// start runs the subcommand that the arguments name; without one it serves, and without any argument it opens the page, too.
func start(ctx context.Context, t terminal, args []string) int {
	if len(args) == 0 {
		args = []string{"--open"}
	}
	name := serveCommand.name
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || isHelp(args[0])) {
		name, args = args[0], args[1:]
	}
	switch {
	case isHelp(name):
		name = helpName
	case len(args) > 0 && args[0] == "--version":
		name, args = "version", args[1:]
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c.start(ctx, t, args)
		}
		names = append(names, c.name)
	}
	return report(t, usage("there is no subcommand %q: use one of %s", name, strings.Join(names, ", ")))
}

func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

func (c command) start(ctx context.Context, t terminal, args []string) int {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	run := c.define(flags)
	rest, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		c.help(t.out)
		return exitOK
	case err != nil:
		err = usage("%v: see playground help %s", err, c.name)
	case len(rest) > 0 && (c.args == "" || c.args == "[flags]"):
		err = usage("%s takes no argument, but got %q", c.name, rest[0])
	default:
		err = run(ctx, t, rest)
	}
	if code, told := errors.AsType[exitWith](err); told {
		return int(code)
	}
	code := report(t, err)
	if code != exitOK && c.wrongUse != 0 {
		return c.wrongUse
	}
	return code
}

// exitWith is how a subcommand ends that has told everything itself.
type exitWith int

func (c exitWith) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// parse takes flags before and after the arguments.
func parse(flags *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return rest, nil
		}
		if n := len(args) - flags.NArg(); n > 0 && args[n-1] == "--" {
			return append(rest, flags.Args()...), nil
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// several adds a flag that may be given several times.
func several(flags *flag.FlagSet, all *[]string, name, usage string) {
	flags.Func(name, usage, func(text string) error { *all = append(*all, text); return nil })
}

// report says what went wrong and turns it into an exit code.
func report(t terminal, err error) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(t.err, "playground:", err)
	if _, bad := errors.AsType[usageError](err); bad {
		return exitUsage
	}
	return exitFailed
}
