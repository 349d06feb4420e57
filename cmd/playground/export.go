package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"path"
	"strings"

	"lockstep/web/site"
)

var exportCommand = command{
	name: "export", args: "DIR [flags]", summary: "write the playground as a static site, for any web host",
	more: `Every page stands in DIR as HTML, and everything runs in the learner's browser, offline
too once it was there. Any host of files will do, and any folder of it; locally, for example:

  playground export site
  python3 -m http.server -d site

Files that an earlier export wrote are replaced. Others in DIR are left alone.
`,
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		base := flags.String("base-url", "/", "`URL` of the place where DIR will be, as https://example.org/locks/ or just /locks/")
		var dirs []string
		several(flags, &dirs, "lessons", "`DIR` of lessons to export too; may be given several times")
		return func(ctx context.Context, t terminal, args []string) error {
			if len(args) != 1 {
				return usage("export needs the one folder to write to, as in: playground export site")
			}
			at, err := baseURL(*base)
			if err != nil {
				return usage("--base-url %s: %v", *base, err)
			}
			return export(ctx, t, args[0], at, dirs)
		}
	},
}

// baseURL reads a path or a whole address. What lies in a folder has a slash at the end.
func baseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	whole := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	switch {
	case err != nil, !whole && (u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/")):
		return nil, errors.New("write it as https://example.org/locks/ or as /locks/")
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil:
		return nil, errors.New("it has more than a host and a path: leave the rest out")
	}
	u.Path = strings.TrimSuffix(path.Clean("/"+u.Path), "/") + "/"
	u.RawPath = ""
	return u, nil
}

func export(ctx context.Context, t terminal, dir string, base *url.URL, dirs []string) error {
	if err := site.Check(dir); err != nil {
		return err
	}
	own, err := catalog()
	if err != nil {
		return err
	}
	ws, err := openWorkspace(own, dirs)
	if err != nil {
		return err
	}
	edition, wrong := ws.read()
	if wrong != "" {
		return errors.New(wrong)
	}
	s, err := site.Make(ctx, edition.Lessons, base)
	if err != nil {
		return err
	}
	if err := s.Write(dir); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%s has the playground with %d lessons.\n", dir, len(edition.Lessons))
	if base.Host == "" {
		fmt.Fprintln(t.out, "Its sitemap.xml names no host, as search engines want it: give --base-url the whole address.")
	}
	return nil
}
