package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"lockstep/lessons"
)

var versionCommand = command{
	name: "version", summary: "print the version of the program, and which servers the embedded ones do as",
	define: func(*flag.FlagSet) func(context.Context, terminal, []string) error {
		return func(_ context.Context, t terminal, _ []string) error {
			fmt.Fprintf(t.out, "playground %s, %s, %s/%s\n", builtOf(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			var like []string
			for _, k := range lessons.NodeKinds {
				like = append(like, k.Like)
			}
			fmt.Fprintf(t.out, "Its embedded servers do as %s.\n", strings.Join(like, ", "))
			return nil
		}
	},
}

// builtOf is the version of the program, and the commit that it was built of; both only where Go knows them.
func builtOf() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	var version strings.Builder
	version.WriteString(cmp.Or(info.Main.Version, "(unknown)"))
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			version.WriteString(", commit " + s.Value)
		}
	}
	return version.String()
}
