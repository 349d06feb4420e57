package web

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"lockstep/engine/fact"
	"lockstep/engine/quota"
	"lockstep/web/class"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// Server serves one playground.
type Server struct {
	playground   *player.Playground
	log          *slog.Logger
	hosts        hosts
	root         string // the folder of the site: a path that begins and ends with a slash
	proxies      proxies
	beat         time.Duration // between two signs of life on a socket
	releaseAfter time.Duration // without a command; then a session frees its nodes
	files        files
	visitors     *visitors
	remote       *visitors // turns for commands that wait for real servers, and use no processor meanwhile
	sockets      *sockets
	drainFor     time.Duration
	measures     *measures
	encryption   *tls.Config // nil: the server does not speak TLS
	catalog      catalog
	makeDraft    MakeDraft // nil: visitors cannot
	live         Live      // nil: no clients are followed
	drawings     liveDrawings
	liveOf       *tally       // open pages of real clients
	classes      *class.Rooms // nil: there are none
	classesAway  atomic.Bool  // their store takes no events
	opened       class.Pacer  // opened classes, by address
	classPagesOf *tally       // open pages of classes, by address
	wallsOf      *tally       // open walls, by class
	guessed      class.Pacer  // tried codes of no class, by address
}

// MaxSessions is the number of seats of a server unless it is told another. A session that only renders a page takes none.
const MaxSessions = 256

// The memory of sessions, in bytes. Each has ownMemory to itself; beyond that, all share sharedMemory times the seats, or times
// MaxSessions on a server of fewer seats, where one session may need as much as anywhere.
const (
	ownMemory    = 2 << 20
	sharedMemory = 1 << 20
)

// searchTime is the length of a slice of a search. Others wait for their turns meanwhile.
const searchTime = 20 * time.Millisecond

// turnsOnServers bounds the commands that wait for real servers at a time, and so the memory of replies.
const turnsOnServers = 16

// takeTurn waits until a command may run; done ends the turn. Commands for real servers have a queue of their
// own, so that a server that hangs holds up no others.
func (s *Server) takeTurn(ctx context.Context, address string, session *seat, long, onServer bool) (done func(), err error) {
	if onServer {
		return s.remote.waitForTurn(ctx, address, nil, long)
	}
	return s.visitors.waitForTurn(ctx, address, session, long)
}

// The addresses of the client's files and of the websocket.
const (
	assets = "static"
	socket = "ws"
)

// shutdownLimit bounds the time in which sessions remove their keys.
const shutdownLimit = 5 * time.Second

// NewServer makes a server with so many seats for sessions. It answers to names, to localhost and to its
// addresses.
func NewServer(p *player.Playground, seats int, names []string, log *slog.Logger) (*Server, error) {
	files, err := clientFiles()
	if err != nil {
		return nil, err
	}
	s := &Server{
		log:          log,
		hosts:        names,
		root:         "/",
		beat:         beatEvery,
		releaseAfter: idleAfter,
		files:        files,
		sockets:      newSockets(),
		measures:     newMeasures(),
		visitors:     newVisitors(seats, maxTurns()),
		remote:       newVisitors(0, turnsOnServers),
	}
	s.playground = &player.Playground{
		Catalog: p.Catalog, Engines: append(slices.Clone(p.Engines), s.inBrowser()), Author: p.Author,
		Memory: quota.New(max(seats, MaxSessions)*sharedMemory, ownMemory), WithReplayTimeout: withReplayTimeout, WithStartTimeout: withStartTimeout, Now: time.Now, SearchTime: searchTime,
	}
	s.measures.registry.MustRegister(s)
	return s, nil
}

// inBrowser is the engine inside pages, if this program was built with its module. The server plays it only
// to render pages.
func (s *Server) inBrowser() player.Engine {
	if s.files.address(ui.Module) == "" {
		return player.Elsewhere{Kind: ui.Browser, Why: fact.Of("no-browser-engine")}
	}
	return player.Embedded{InBrowser: true}
}

// shell has what every page needs to know of the site, as of now.
func (s *Server) shell() ui.Shell {
	shell := ui.Shell{File: s.address, Socket: socket, Root: s.root, Build: s.files.build}
	if s.playground.Author != nil {
		shell.Blank = s.playground.Author.Blank().Name
		if s.makeDraft != nil {
			shell.Draft = "draft"
		}
	}
	if s.classes != nil {
		shell.Class = ui.ClassPath
	}
	return shell
}

func (s *Server) address(name string) string {
	if name != ui.Catalog {
		return s.files.address(name)
	}
	f, err := s.encodedCatalog()
	if err != nil {
		s.log.Error("the lessons cannot be encoded", "error", err)
		return ""
	}
	return f.address(name)
}

// Under puts the site into a folder of its host: a path that begins and ends with a slash. It is for servers that do
// not serve yet.
func (s *Server) Under(root string) { s.root = root }

// Handler is the site in its folder, and the checks, which ask the server itself.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+healthz, alive)
	mux.HandleFunc("GET "+readyz, s.ready)
	mux.HandleFunc("GET /metrics", s.metrics())
	mux.Handle(s.root, http.StripPrefix(strings.TrimSuffix(s.root, "/"), s.paced(s.pages())))
	if s.root != "/" {
		mux.HandleFunc("/", s.notFound)
	}
	return promhttp.InstrumentHandlerCounter(s.measures.responses, s.proxies.reveal(s.guard(mux)))
}

// pages is the site, by addresses from its folder.
func (s *Server) pages() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.chooseLanguage)
	for _, lang := range languages {
		home := "GET /" + ui.HomePath(lang)
		mux.HandleFunc(home+"{$}", s.home)
		mux.HandleFunc("GET /"+ui.ComparedPath(lang)+"{$}", s.compare)
		if s.makeDraft != nil {
			mux.HandleFunc("POST /"+ui.HomePath(lang)+"draft", s.draft)
		}
		mux.HandleFunc(home+"lessons/{name}/{$}", s.lesson)
		mux.HandleFunc(home+"lessons/{name}", intoFolder)
		embed := "GET /" + ui.ViewEmbed + "/" + ui.HomePath(lang) + "{name}"
		mux.HandleFunc(embed+"/{$}", s.embedded)
		mux.HandleFunc(embed, intoFolder)
	}
	mux.HandleFunc("GET /"+assets+"/{path...}", s.files.serve)
	mux.HandleFunc("GET /"+assets+"/"+ui.Catalog, s.serveCatalog)
	mux.HandleFunc("GET /"+socket, s.socket)
	mux.HandleFunc("GET /"+retired, s.retire)
	if s.live != nil {
		s.livePages(mux)
	}
	if s.classes != nil {
		s.classPages(mux)
	}
	mux.HandleFunc("GET /", s.notFound)
	return http.NewCrossOriginProtection().Handler(mux) // no page of another site opens a class, or joins one
}

// Encrypt makes the server speak TLS. It is for servers that do not serve yet.
func (s *Server) Encrypt(how *tls.Config) {
	s.encryption = how.Clone()
	s.encryption.NextProtos = []string{"http/1.1"} // sockets need it
}

// listen is a listener that bounds connections, reads what proxies say before a request, and then speaks TLS.
func (s *Server) listen(l net.Listener) net.Listener {
	l = s.proxies.listen(newConnectionLimiter(l, maxConnections, s.proxies))
	if s.encryption != nil {
		l = tls.NewListener(l, s.encryption)
	}
	return l
}

// Serve answers on a listener until the context is done. Then it drains, and ends all sessions, which remove their keys
// and users.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	tidying, stopTidying := context.WithCancel(ctx)
	defer stopTidying()
	go s.tidyUp(tidying, tidyEvery)
	if s.classes != nil {
		go s.watchClassStore(tidying, tidyEvery)
	}
	go s.catalog.drawn(tidying, s.playground.Catalog.Now(), player.Gallery) // so that the first visitor need not wait
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.listen(l)) }()
	select {
	case err := <-failed:
		s.Close()
		return err
	case <-ctx.Done():
	}
	s.drain()
	s.Close()
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownLimit)
	defer cancel()
	if err := server.Shutdown(limit); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Close ends all sockets. It waits until their sessions have removed their keys and users, for shutdownLimit at
// most.
func (s *Server) Close() {
	select {
	case <-s.sockets.close():
	case <-time.After(shutdownLimit):
		s.log.Warn("some sessions did not end in time; their keys on Redis will expire")
	}
}

// guard sets the headers of every response, refuses unknown hosts, and turns a panic into an error page.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", ui.Policy+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // recover gives the very value
				panic(p)
			}
			s.measures.panics.Inc()
			s.log.Error("a page panicked", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
			s.fail(w, r, http.StatusInternalServerError, somethingBroke)
		}()
		if !s.hosts.knows(r) && !isCheck(r) {
			s.measures.refused.WithLabelValues(refusedHost).Inc()
			refuseHost(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) newSession() *player.Session {
	return s.playground.NewSession(rand.Text()[:16])
}
