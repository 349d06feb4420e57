package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"

	"lockstep/attach"
	"lockstep/attach/proxy"
	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/node/redis/port"
	"lockstep/web"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// passwordVariable is where the password stands: arguments can be read by everybody on a machine.
const passwordVariable = "PLAYGROUND_PASSWORD" //nolint:gosec // its name

// attachFlags are what attach can be told.
type attachFlags struct {
	addr string
	http string
	to   string
}

var attachCommand = command{
	name: "attach", args: "[flags]", summary: "show what the clients of your service do, on its own Redis or on an embedded one",
	more: `Each connection is a lane, named by CLIENT SETNAME or else by its address; those with one
name share a lane. What they did can be made a lesson, on the page.

With --to it stands between your service and its own Redis or Valkey, and passes on every byte.
User and password of the URL are those of a connection that reads the keys that your clients
touch; the password may stand in ` + passwordVariable + ` instead. Your clients log in as they always do.

Without --to there is a Redis for them, in memory and lost at the end: it is for trying things
out, and no store for data. Other machines may only connect with a password, in
` + passwordVariable + `. The page is for this machine alone.
`,
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &attachFlags{}
		flags.StringVar(&f.addr, "addr", "127.0.0.1:6380", "`ADDRESS` to listen on for Redis clients, as host:port")
		flags.StringVar(&f.http, "http", "127.0.0.1:8080", "`ADDRESS` of the page on this machine, as host:port")
		flags.StringVar(&f.to, "to", "", "`URL` of your own Redis, as redis://user:password@host:port, or rediss:// with TLS")
		return f.attach
	},
}

func (f *attachFlags) check() error {
	for _, given := range []struct{ flag, addr string }{{"--addr", f.addr}, {"--http", f.http}} {
		if err := checkAddress(given.addr); err != nil {
			return usage("%s %s: %v", given.flag, given.addr, err)
		}
	}
	if !isLoopback(f.http) {
		return usage("--http %s: the page shows all that clients send, so it is for this machine alone: use 127.0.0.1", f.http)
	}
	if !isLoopback(f.addr) && f.to != "" {
		return usage("--addr %s: other machines would reach your Redis through it: use 127.0.0.1", f.addr)
	}
	return checkReach(f.addr)
}

// checkReach refuses to listen for other machines without a password.
func checkReach(addr string) error {
	if !isLoopback(addr) && os.Getenv(passwordVariable) == "" {
		return usage("--addr %s: other machines could connect there: set a password in %s", addr, passwordVariable)
	}
	return nil
}

// isLoopback tells whether only this machine reaches an address.
func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr) // checkAddress has seen it
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (f *attachFlags) attach(ctx context.Context, t terminal, _ []string) error {
	if err := f.check(); err != nil {
		return err
	}
	builtIn, err := catalog()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(t.err, nil))
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return listenError("--addr", f.addr, err)
	}
	pages, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.http)
	if err != nil {
		return errors.Join(listenError("--http", f.http, err), listener.Close())
	}
	a := &attached{addr: listener.Addr().String(), builtIn: builtIn, catalog: player.NewCatalog(builtIn)}
	serve, err := f.clients(ctx, a, log)
	if err != nil {
		return errors.Join(err, listener.Close(), pages.Close())
	}
	playground := &player.Playground{
		Catalog: a.catalog, Engines: []player.Engine{player.Embedded{}}, Author: player.NewAuthor(author.Reader{}, nil),
	}
	server, err := web.NewServer(playground, web.MaxSessions, nil, log)
	if err != nil {
		return errors.Join(err, listener.Close(), pages.Close())
	}
	server.Follow(a)
	fmt.Fprintf(t.out, "Redis clients connect to %s; what they do is at %s\n", listener.Addr(), address("http", pages.Addr(), "/"))
	if a.proxy != nil {
		fmt.Fprintf(t.out, "All that they say is passed on to %s.\n", a.proxy.To())
	} else {
		fmt.Fprintln(t.out, "It keeps everything in memory and loses it at the end: no store for data.")
	}
	return serveBoth(ctx,
		func(ctx context.Context) error { return serve(ctx, listener) },
		func(ctx context.Context) error { return server.Serve(ctx, pages) })
}

// clients makes what serves the clients: with --to a proxy before their own Redis, else an embedded one. It sets
// what a knows of it.
func (f *attachFlags) clients(ctx context.Context, a *attached, log *slog.Logger) (serve func(context.Context, net.Listener) error, err error) {
	if f.to == "" {
		redis := port.New(port.Real, log)
		redis.RequirePassword(os.Getenv(passwordVariable))
		a.Recorder = attach.Follow(redis)
		return redis.Serve, nil
	}
	to, err := proxy.Parse(f.to)
	if err != nil {
		return nil, usage("--to: %v", err)
	}
	to.Password = cmp.Or(to.Password, os.Getenv(passwordVariable))
	if err := to.Reach(ctx); err != nil {
		return nil, fmt.Errorf("--to: the Redis at %s cannot be reached: %w", to.Addr, err)
	}
	a.proxy = proxy.New(to, log)
	a.Recorder = a.proxy.Recorder()
	return a.proxy.Serve, nil
}

// serveBoth runs two servers until the context ends, or one of them does.
func serveBoth(ctx context.Context, one, other func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error)
	for _, serve := range []func(context.Context) error{one, other} {
		go func() {
			defer cancel()
			done <- serve(ctx)
		}()
	}
	return errors.Join(<-done, <-done)
}

// attached is what the page of real clients shows.
type attached struct {
	*attach.Recorder
	proxy   *proxy.Proxy // nil: clients have an embedded Redis
	addr    string
	builtIn []*lessons.Lesson
	catalog *player.Catalog
	insides insides
}

func (a *attached) Show(lang lessons.Lang, at int) ui.Live {
	trace, numbers, claims := a.Trace()
	l := ui.NewLive(lang, trace, numbers, a.Places(), at, a.addr)
	if l.Now > 0 {
		l.Followed = a.insides.of(a.Recorder, numbers[l.Now-1], &trace.Steps[l.Now-1])
	}
	l.Claims = claims[l.Now]
	if a.proxy != nil {
		l.To, l.Told = a.proxy.To(), a.proxy.Told()
		if n := a.UnknownScripts(); n > 0 {
			l.Told = append(l.Told, fact.Of("unknown-scripts", n))
		}
		if l.Places[attach.Unseen] > 0 {
			l.Told = append(l.Told, fact.Of("unseen-lane", attach.Unseen))
		}
	}
	l.Warnings, l.Unshown = a.Warnings()
	l.Rules, l.Held = a.Holding()
	l.Scripts = a.Scripts()
	return l
}

// Keep makes what is known a lesson among the others, in place of the one before it.
func (a *attached) Keep() (lesson string, breach engine.Schedule, err error) {
	var files []lessons.File
	for _, f := range a.Recording().Files() {
		files = append(files, lessons.File{Name: f.Name, Text: f.Text})
	}
	l, problems := author.Reader{}.Read("99-recorded", files)
	if l == nil {
		return "", breach, fact.Of("no-lesson-of-it", strings.TrimSpace(problems.Error()))
	}
	a.catalog.Publish(&player.Edition{Lessons: append(append([]*lessons.Lesson{}, a.builtIn...), l)})
	return l.Name, breachIn(l), nil
}

// breachIn is the story of a lesson up to where a rule is broken last; empty: none is.
func breachIn(l *lessons.Lesson) (s engine.Schedule) {
	s.Lesson = l.Hash
	var choices []engine.Choice
	for _, b := range l.Story {
		if choices = append(choices, b.Choices...); b.Expect.Breaks() {
			s.Choices = choices
		}
	}
	return s
}
