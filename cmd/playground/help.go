package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// helpCommand is a function because help lists all subcommands, itself included.
func helpCommand() command {
	return command{
		name: helpName, args: "[SUBCOMMAND]", summary: "show how to use the playground",
		define: func(*flag.FlagSet) func(context.Context, terminal, []string) error { return help },
	}
}

const helpName = "help"

func help(_ context.Context, t terminal, args []string) error {
	if len(args) == 0 {
		overview(t.out)
		return nil
	}
	for _, c := range commands() {
		if c.name == args[0] && len(args) == 1 {
			c.help(t.out)
			return nil
		}
	}
	return usage("there is no help for %q: see playground help", strings.Join(args, " "))
}

func overview(w io.Writer) {
	fmt.Fprint(w, "A playground for Redis locks in which you are the scheduler.\n\nplayground SUBCOMMAND\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprintf(w, "\nWithout a subcommand it runs %s, and without any argument it opens a browser there. playground help SUBCOMMAND shows details.\n", serveCommand.name)
}

func (c command) help(w io.Writer) {
	fmt.Fprintf(w, "%s\n\nplayground %s\n", c.summary, strings.TrimSpace(c.name+" "+c.args))
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.define(flags)
	first := true
	flags.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprintln(w)
			first = false
		}
		kind, text := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  %-24s %s", strings.TrimSpace("--"+f.Name+" "+kind), text)
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			fmt.Fprintf(w, " (%s)", f.DefValue)
		}
		fmt.Fprintln(w)
	})
	if c.more != "" {
		fmt.Fprintf(w, "\n%s", c.more)
	}
}
