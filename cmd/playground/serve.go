package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/cli/browser"

	"lockstep/lessons/author"
	"lockstep/static"
	"lockstep/web"
	"lockstep/web/player"
)

// serveFlags are what serve can be told.
type serveFlags struct {
	addr       string
	redisURL   string
	allowEdits bool
	lessons    []string
	edit       bool
	classStore string
	open       bool
	operate    operateFlags
}

var serveCommand = command{
	name: "serve", args: "[flags]", summary: "serve the playground to browsers until interrupted",
	more: `Browsers open it by localhost, by the address that they reach, and by each --host NAME.
Any other name is refused: a page of another site can make its own name mean this
machine, and could then do here what the playground's pages can.
`,
	define: func(flags *flag.FlagSet) func(context.Context, terminal, []string) error {
		f := &serveFlags{}
		flags.StringVar(&f.addr, "addr", defaultAddress, "`ADDRESS` to listen on, as host:port")
		flags.StringVar(&f.redisURL, "redis-url", "", "`URL` of a Redis server to use instead of starting one")
		flags.BoolVar(&f.allowEdits, "allow-edits", false,
			"with --redis-url: run edited scripts even where no ACL user keeps them from the keys of others; only for a server of your own")
		several(flags, &f.lessons, "lessons", "`DIR` of lessons to serve too, read again at each change; may be given several times")
		flags.BoolVar(&f.edit, "edit", false, "with --lessons: let whoever opens the page save lessons of DIR there, in the Author view; new ones go to the first DIR")
		flags.StringVar(&f.classStore, "class-store", "", "`URL` of a Redis server that keeps classes, for several servers to share; else they end with this one")
		f.operate.define(flags)
		flags.BoolVar(&f.open, "open", false, "open the page in a browser, and listen on any free port where that of the default address is taken")
		return f.serve
	},
}

func (f *serveFlags) serve(ctx context.Context, t terminal, _ []string) error {
	n := f.operate.notes(t)
	return n.end(f.run(ctx, n))
}

func (f *serveFlags) check() error {
	if err := checkAddress(f.addr); err != nil {
		return usage("--addr %s: %v", f.addr, err)
	}
	if err := checkRedisURL(f.redisURL); err != nil {
		return usage("--redis-url: %v", err)
	}
	if err := checkRedisURL(f.classStore); err != nil {
		return usage("--class-store: %v", err)
	}
	if f.allowEdits && f.redisURL == "" {
		return usage("--allow-edits is of use with --redis-url only: servers that are started here are safe to edit on")
	}
	if f.edit && len(f.lessons) == 0 {
		return usage("--edit is of use with --lessons DIR only: the lessons that come with the program are never written")
	}
	return f.operate.check()
}

// run serves until the context ends. What it opens it closes in reverse order.
func (f *serveFlags) run(ctx context.Context, n notes) error {
	if err := f.check(); err != nil {
		return err
	}
	encrypted, err := f.operate.encryption()
	if err != nil {
		return err
	}
	own, err := catalog()
	if err != nil {
		return err
	}
	ws, err := openWorkspace(own, f.lessons)
	if err != nil {
		return err
	}
	p := &publisher{workspace: ws, catalog: player.NewCatalog(nil), notes: n}
	if wrong := p.read(); wrong != "" {
		n.warn(wrong)
	}
	listener, err := f.listen(ctx)
	if err != nil {
		return err
	}
	defer listener.Close()
	playground := &player.Playground{Catalog: p.catalog, Engines: []player.Engine{player.Embedded{}}, Author: f.author(p)}
	warn := func(text string) { n.warn("playground: warning: " + text) }
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx)) // real servers stay until learners have gone
	for _, e := range enginesOfPage(serving, f.redisURL, f.allowEdits, warn) {
		defer e.stop()
		playground.Engines = append(playground.Engines, e)
	}
	defer stopServing() // before they are stopped: a server that is starting is given up
	server, err := web.NewServer(playground, f.operate.places, f.names(), n.log)
	if err != nil {
		return err
	}
	root, _ := folderOf(f.operate.basePath) // check has seen it
	server.OfferDrafts(draftOf)
	server.TrustProxies(f.operate.proxies)
	server.Drain(f.operate.drain)
	server.Under(root)
	rooms, closeRooms, err := openClasses(ctx, f.classStore)
	if err != nil {
		return err
	}
	defer closeRooms()
	server.OfferClasses(rooms)
	if len(f.lessons) > 0 {
		missed := func(err error) { n.warn("playground: changes of files may have been missed: " + err.Error()) }
		if err := watch(ctx, f.lessons, p.publish, missed); err != nil {
			return err
		}
	}
	scheme := "http"
	if encrypted != nil {
		scheme = "https"
		server.Encrypt(encrypted)
	}
	f.announce(n, listener.Addr(), address(scheme, listener.Addr(), root))
	return server.Serve(ctx, listener)
}

// publisher keeps a catalog as the lessons of a workspace are.
type publisher struct {
	workspace *workspace
	catalog   *player.Catalog
	notes     notes

	reading sync.Mutex
}

// read puts the lessons into the catalog. wrong tells of mistakes in them; empty: there are none.
func (p *publisher) read() (wrong string) {
	edition, wrong := p.workspace.read()
	p.catalog.Publish(edition)
	return wrong
}

// publish reads the lessons again, for all pages that are open.
func (p *publisher) publish() {
	p.reading.Lock()
	defer p.reading.Unlock()
	wrong := p.read()
	if wrong != "" {
		p.notes.warn(wrong)
	} else {
		p.notes.say("The lessons were read again.")
	}
}

// author reads the lessons that visitors write, and with --edit saves them.
func (f *serveFlags) author(p *publisher) *player.Author {
	var saves player.Store
	if f.edit {
		saves = &store{workspace: p.workspace, publish: p.publish}
	}
	return player.NewAuthor(author.Reader{SharedClients: p.workspace.clients}, saves)
}

// listen listens on the address, or on any port where that one need not be.
func (f *serveFlags) listen(ctx context.Context) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if f.anyPort(err) {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, listenError("--addr", f.addr, err)
	}
	return listener, nil
}

// announce tells where the page is and who may change it, and opens it with --open.
func (f *serveFlags) announce(n notes, listens net.Addr, at string) {
	if _, err := fs.Stat(static.Dist(), "main.js"); err != nil {
		n.warn("playground: this program was built without its client, so that pages can only be read: run make build")
	}
	if isEverywhere(listens) {
		n.say("Lockstep is at " + at + " and at this machine's other addresses")
	} else {
		n.say("Lockstep is at " + at)
	}
	if f.edit {
		n.say(fmt.Sprintf("Whoever opens it can change the lessons in %s and add new ones (in %s)", strings.Join(f.lessons, ", "), f.lessons[0]))
	}
	if f.open {
		if err := openBrowser(at); err != nil {
			n.warn(fmt.Sprintf("No browser could be opened: %v", err))
		}
	}
}

// names are the hosts to which the server answers: those of --host, and the one of its address.
func (f *serveFlags) names() []string {
	host, _, _ := net.SplitHostPort(f.addr) // checkAddress has seen it
	return append(slices.Clip(f.operate.hosts), host)
}

func checkAddress(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return errors.New("write it as host:port, for example 127.0.0.1:8080")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is not a port: write a number from 0 (any free one) to 65535", port)
	}
	return nil
}

// checkRedisURL refuses what is no URL of a Redis. Its errors do not repeat the
// URL, which may hold a password.
func checkRedisURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	known := err == nil && (u.Scheme == "unix" && u.Path != "" || (u.Scheme == "redis" || u.Scheme == "rediss") && u.Host != "")
	if !known {
		return errors.New("this is no URL of a Redis: write it as redis://[user:password@]host:6379[/database] or unix:///path/to/socket")
	}
	return nil
}

// listenError says what to do when an address, which a flag has given, cannot be listened on.
func listenError(flag, addr string, err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		switch no { //nolint:exhaustive // of all the errors of a system only these have advice
		case syscall.EADDRINUSE:
			return fmt.Errorf("%s is in use already: stop what listens there, or choose another port with %s", addr, flag)
		case syscall.EACCES:
			return fmt.Errorf("this user may not listen on %s: choose a port above 1023 with %s", addr, flag)
		case syscall.EADDRNOTAVAIL:
			return fmt.Errorf("%s is not an address of this machine: choose one with %s", addr, flag)
		}
	}
	return fmt.Errorf("cannot listen on %s: %w", addr, err)
}

// address is what to type into a browser on this machine.
func address(scheme string, a net.Addr, root string) string {
	if isEverywhere(a) {
		_, port, _ := net.SplitHostPort(a.String()) // it is an address
		return scheme + "://localhost:" + port + root
	}
	return scheme + "://" + a.String() + root
}

// isEverywhere tells whether a listener is at all addresses of this machine.
func isEverywhere(a net.Addr) bool {
	at, err := netip.ParseAddrPort(a.String())
	return err == nil && at.Addr().IsUnspecified()
}

// defaultAddress is where serve listens unless it is told another.
const defaultAddress = "127.0.0.1:8080"

// anyPort tells whether another port is as good as the one that is taken: nobody asked for that, and nobody needs to type the other.
func (f *serveFlags) anyPort(err error) bool {
	return f.open && f.addr == defaultAddress && errors.Is(err, syscall.EADDRINUSE)
}

// openBrowser shows a page, where there is a screen.
func openBrowser(url string) error {
	if !hasScreen() {
		return errors.New("there is no screen here")
	}
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	return browser.OpenURL(url)
}

// hasScreen is false where a browser, if there is one, would take this terminal.
func hasScreen() bool {
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
