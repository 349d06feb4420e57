package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"lockstep/lessons/author"
	"lockstep/static"
	"lockstep/web"
	"lockstep/web/player"
)

// serveFlags are what serve can be told.
type serveFlags struct {
	addr       string
	hosts      []string
	proxies    []netip.Prefix
	basePath   string
	redisURL   string
	allowEdits bool
	lessons    []string
	edit       bool
	drain      time.Duration
	log        string
	tlsCert    string
	tlsKey     string
	classStore string
	open       bool
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
		flags.Func("host", "host `NAME` to accept, besides localhost and the server's addresses; can be repeated", f.addHost)
		flags.Func("trusted-proxy", "`CIDR` of proxies whose X-Forwarded-For, X-Forwarded-Proto and PROXY protocol are believed; can be repeated", f.addProxy)
		flags.StringVar(&f.basePath, "base-path", "/", "`PATH` of the playground on its host, as /lockstep/")
		flags.StringVar(&f.redisURL, "redis-url", "", "`URL` of a Redis server to use instead of starting one")
		flags.BoolVar(&f.allowEdits, "allow-edits", false,
			"with --redis-url: run edited scripts even where no ACL user keeps them from the keys of others; only for a server of your own")
		flags.Func("lessons", "`DIR` of lessons to serve too, read again at each change; may be given several times", func(dir string) error {
			f.lessons = append(f.lessons, dir)
			return nil
		})
		flags.BoolVar(&f.edit, "edit", false, "with --lessons: let whoever opens the page save lessons of DIR there, in the Author view; new ones go to the first DIR")
		flags.Func("drain", "at SIGTERM, `TIME` in which learners go to another server, as 30s; a second signal ends at once", f.setDrain)
		flags.StringVar(&f.log, "log", "text", "`FORMAT` of the log on standard error: text or json")
		flags.StringVar(&f.tlsCert, "tls-cert", "", "`FILE` with the certificate, and those that lead to it, in PEM: speak TLS")
		flags.StringVar(&f.tlsKey, "tls-key", "", "`FILE` with the certificate's key, in PEM")
		flags.StringVar(&f.classStore, "class-store", "", "`URL` of a Redis server that keeps classes, for several servers to share; else they end with this one")
		f.opens(flags)
		return f.serve
	},
}

func (f *serveFlags) serve(ctx context.Context, t terminal, _ []string) error {
	if err := checkAddress(f.addr); err != nil {
		return usage("--addr %s: %v", f.addr, err)
	}
	root, err := folderOf(f.basePath)
	if err != nil {
		return usage("--base-path %s: %v", f.basePath, err)
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
	if f.log != "text" && f.log != "json" {
		return usage("--log %s: write text or json", f.log)
	}
	encrypted, err := f.encryption()
	if err != nil {
		return err
	}
	if f.edit && len(f.lessons) == 0 {
		return usage("--edit is of use with --lessons DIR only: the lessons that come with the program are never written")
	}
	own, err := catalog()
	if err != nil {
		return err
	}
	ws, err := openWorkspace(own, f.lessons)
	if err != nil {
		return err
	}
	edition, wrong := ws.read()
	if wrong != "" {
		fmt.Fprintln(t.err, wrong)
	}
	lessons := player.NewCatalog(nil)
	lessons.Publish(edition)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if f.anyPort(err) {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return listenError("--addr", f.addr, err)
	}
	playground := &player.Playground{Catalog: lessons, Engines: []player.Engine{player.Embedded{}}}
	warn := func(text string) { fmt.Fprintln(t.err, "playground: warning:", text) }
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx)) // real servers stay until learners have gone
	for _, e := range enginesOfPage(serving, f.redisURL, f.allowEdits, warn) {
		defer e.stop()
		playground.Engines = append(playground.Engines, e)
	}
	defer stopServing() // before they are stopped: a server that is starting is given up
	var server *web.Server
	var reading sync.Mutex
	publish := func() {
		reading.Lock()
		defer reading.Unlock()
		edition, wrong := ws.read()
		lessons.Publish(edition)
		server.Refresh()
		if wrong != "" {
			fmt.Fprintln(t.err, wrong)
		} else {
			fmt.Fprintln(t.out, "The lessons were read again.")
		}
	}
	var saves player.Store
	if f.edit {
		saves = &store{workspace: ws, publish: publish}
	}
	playground.Author = player.NewAuthor(author.Reader{SharedClients: ws.clients}, saves)
	server, err = web.NewServer(playground, web.MaxSessions, f.names(), f.logTo(t.err))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server.OfferDrafts(draftOf)
	server.TrustProxies(f.proxies)
	server.Drain(f.drain)
	server.Under(root)
	rooms, closeRooms, err := openClasses(ctx, f.classStore)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer closeRooms()
	server.OfferClasses(rooms)
	if len(f.lessons) > 0 {
		err := watch(ctx, f.lessons, publish, func(err error) { fmt.Fprintf(t.err, "playground: changes of files may have been missed: %v\n", err) })
		if err != nil {
			return errors.Join(err, listener.Close())
		}
	}
	if _, err := fs.Stat(static.Dist(), "main.js"); err != nil {
		fmt.Fprintln(t.err, "playground: this program was built without its client, so that pages can only be read: run make build")
	}
	scheme := "http"
	if encrypted != nil {
		scheme = "https"
		server.Encrypt(encrypted)
	}
	at := address(scheme, listener.Addr(), root)
	fmt.Fprintf(t.out, "Lockstep is at %s\n", at)
	if f.edit {
		fmt.Fprintf(t.out, "Whoever opens it can change the lessons in %s and add new ones (in %s)\n", strings.Join(f.lessons, ", "), f.lessons[0])
	}
	if f.open {
		openBrowser(t, at)
	}
	return server.Serve(ctx, listener)
}

var domain = regexp.MustCompile(`^(?i)[a-z0-9_]([a-z0-9_.-]{0,252})$`)

// addHost takes a name as the address bar of a browser has it.
func (f *serveFlags) addHost(name string) error {
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err != nil && !domain.MatchString(name) {
		return errors.New("write a name alone, as in play.example.org, without http:// and without a port")
	}
	f.hosts = append(f.hosts, name)
	return nil
}

// encryption is the certificate to speak TLS with; nil: none.
func (f *serveFlags) encryption() (*tls.Config, error) {
	if f.tlsCert == "" && f.tlsKey == "" {
		return nil, nil
	}
	if f.tlsCert == "" || f.tlsKey == "" {
		return nil, usage("--tls-cert and --tls-key are of use together only")
	}
	pair, err := tls.LoadX509KeyPair(f.tlsCert, f.tlsKey)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", f.tlsCert, f.tlsKey, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

func (f *serveFlags) setDrain(text string) error {
	span, err := time.ParseDuration(text)
	if err != nil || span < 0 {
		return errors.New("write a time as 30s")
	}
	f.drain = span
	return nil
}

func (f *serveFlags) logTo(w io.Writer) *slog.Logger {
	if f.log == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// addProxy takes a network, or one address.
func (f *serveFlags) addProxy(text string) error {
	network, err := netip.ParsePrefix(text)
	if addr, one := netip.ParseAddr(text); one == nil {
		network, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return errors.New("write a network as 10.1.0.0/16, or one address")
	}
	f.proxies = append(f.proxies, network.Masked())
	return nil
}

// names are those that it answers to: the one of the address among them.
func (f *serveFlags) names() []string {
	host, _, _ := net.SplitHostPort(f.addr) // checkAddress has seen it
	return append(slices.Clip(f.hosts), host)
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

var pathOfSite = regexp.MustCompile(`^/([A-Za-z0-9_~.-]+/)*$`)

// folderOf is a path with a slash at its end.
func folderOf(path string) (string, error) {
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	if !pathOfSite.MatchString(path) || strings.Contains(path, "/.") {
		return "", errors.New("write a path as browsers have it, for example /lockstep/")
	}
	return path, nil
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
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	if at.Addr().IsUnspecified() {
		return fmt.Sprintf("%s://localhost:%d%s and at this machine's other addresses", scheme, at.Port(), root)
	}
	return scheme + "://" + at.String() + root
}
