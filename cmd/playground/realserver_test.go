package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/lessons"
	"lockstep/node/redis/conversations"
	"lockstep/web"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// ofUser is a server's URL with a user in it.
func ofUser(url, user string) string { return strings.Replace(url, "://", "://"+user+":x@", 1) }

// silent takes warnings that a test is not about.
func silent(string) {}

// TestWarnings: whoever lets visitors use a server that others use too is told at start
// what a script can do to it.
func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name, url  string
		allowEdits bool
		want       []string
	}{
		{"private", "", false, nil},
		{"redis", conversations.StartServer(t, conversations.RedisServer(t)), true, []string{"SHUTDOWN NOSAVE", "memory", "error({}) ends redis 7.0.15"}},
		{"valkey", conversations.StartServer(t, conversations.ValkeyServer(t)), false, []string{"SHUTDOWN NOSAVE", "memory", "error({}) ends valkey 8.0.1", "do not run there"}},
		{"valkey with edits", conversations.StartServer(t, conversations.ValkeyServer(t)), true, []string{"SHUTDOWN NOSAVE", "memory", "error({}) ends valkey 8.0.1", "run there all the same"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said []string
			r := newRealServer(t.Context(), engineNamed(t, redisEngine), c.url, c.allowEdits, func(text string) { said = append(said, text) })
			defer r.stop()
			if _, err := r.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(said) != len(c.want) {
				t.Fatalf("it says %q, want %q", said, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(said[i], want) {
					t.Errorf("it says %q, want %q", said[i], want)
				}
			}
		})
	}
}

// TestWhereEditsMayRun: on servers of our own and where sessions can be held to their
// own keys; elsewhere only if whoever runs the playground says so.
func TestWhereEditsMayRun(t *testing.T) {
	shared := conversations.StartServer(t, conversations.RedisServer(t), "--user", "shy", "on", "nopass", "~*", "&*", "+@all", "-acl")
	porous := conversations.StartServer(t, conversations.ValkeyServer(t))
	for _, c := range []struct {
		name, url string
		allow     bool
		en, zh    string
	}{
		{"open to all scripts", porous, false, "CVE-2025-46818, such as Valkey 8.0.6; on your own machine you can also start serve with --allow-edits", "CVE-2025-46818"},
		{"open to all scripts, allowed", porous, true, "", ""},
		{"private", "", false, "", ""},
		{"shared", shared, false, "", ""},
		{"without users", ofUser(shared, "shy"), false, "or use another user; on your own machine you can also start serve with --allow-edits", "--allow-edits 启动"},
		{"without users, allowed", ofUser(shared, "shy"), true, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := pageEngine(t, redisEngine, c.url, c.allow)
			if _, err := r.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			for lang, want := range map[lessons.Lang]string{lessons.En: c.en, lessons.Zh: c.zh} {
				got := r.State(lang)
				if got.Reason != "" || (got.Edits == "") != (want == "") || !strings.Contains(got.Edits, want) {
					t.Errorf("in %s it says %+v, want %q", lang, got, want)
				}
			}
		})
	}
}

// TestASessionOutlivesItsScripts: whatever a program sends to a private server, the
// page says what happened, and the next step is made.
func TestASessionOutlivesItsScripts(t *testing.T) {
	redis := pageEngine(t, redisEngine, "", false)
	for _, c := range []struct {
		name, script string
		answer       string // of the step; empty: it did not happen
		notice, zh   string // then, in English and in Chinese
	}{
		{name: "endless", script: "while true do end", answer: "Script killed by user"},
		{
			name: "endless after a write", script: "while true do redis.call('incr', 'x') end",
			notice: "cannot be killed; the server was stopped", zh: "服务器已被停止",
		},
		{name: "a crash", script: "error({})", notice: "died in this step", zh: "在这一步崩溃了"},
		{
			name: "much to read", script: "local s = 'twelve bytes' for i = 1, 19 do s = s .. s end redis.call('set', 'x', s)",
			notice: "(4 MB or", zh: "（4 MB 或",
		},
		{name: "forbidden", script: "return redis.call('mi' .. 'grate', '127.0.0.1', 1, 'a', 0, 10)", answer: "can't run this command"},
	} {
		for _, lang := range []lessons.Lang{lessons.En, lessons.Zh} {
			t.Run(c.name+", "+string(lang), func(t *testing.T) {
				s := openSession(t, redis, lang, c.script)
				defer s.Close()
				choose(t, s, "run A") // SET a 1
				choose(t, s, "run A") // the script
				v := s.View()
				want := c.notice
				if lang == lessons.Zh {
					want = c.zh
				}
				switch {
				case c.answer == "" && (v.Notice == nil || !strings.Contains(v.Notice.Text, want)):
					t.Errorf("the notice is %+v, want %q", v.Notice, want)
				case c.answer != "" && (v.Notice != nil || len(v.Trace.Steps) != 2 || !strings.Contains(v.Trace.Steps[1].String(), c.answer)):
					t.Errorf("the notice is %+v, the trace %v, want %q in it", v.Notice, v.Trace, c.answer)
				}
				choose(t, s, "run B") // INCR a
				v = s.View()
				last := v.Trace.Steps[len(v.Trace.Steps)-1]
				if v.Notice != nil || !strings.Contains(last.String(), "2") {
					t.Errorf("the next step is %v, the notice %+v", last, v.Notice)
				}
			})
		}
	}
}

// openSession opens a lesson in which A sends a script.
func openSession(t *testing.T, redis player.Engine, lang lessons.Lang, script string) *player.Session {
	t.Helper()
	l := &lessons.Lesson{
		Name: "hostile", Hash: "05711e00", Title: lessons.Text{En: "Hostile", Zh: "敌意"},
		Chapter: "simple", Level: lessons.Basic, Nodes: []lessons.Node{{Name: "redis", Kind: lessons.Redis}}, Resolution: time.Minute,
		Actors: []lessons.Actor{
			{Name: "A", Process: "jvm-1", Program: fmt.Sprintf("redis.call('SET', 'a', '1') redis.call('EVAL', %q, '0')", script)},
			{Name: "B", Process: "jvm-2", Program: "redis.call('INCR', 'a')"},
		},
	}
	p := &player.Playground{Catalog: player.NewCatalog([]*lessons.Lesson{l}), Engines: []player.Engine{player.Embedded{}, redis}}
	s := p.NewSession(t.Name())
	if err := s.Load(t.Context(), player.Place{Lesson: l.Name, Engine: ui.Redis, Lang: lang}); err != nil {
		t.Fatal(err)
	}
	if v := s.View(); v.Notice != nil {
		t.Fatalf("the lesson begins with %+v", v.Notice)
	}
	return s
}

// choose makes a choice; that an engine failed is told by the notice.
func choose(t *testing.T, s *player.Session, choice string) {
	t.Helper()
	for _, m := range s.Handle(t.Context(), fmt.Appendf(nil, `{"v":1,"id":1,"op":"choose","choice":%q}`, choice)) {
		if m.Reply != nil && m.Err != nil && m.Err.Code != player.CodeEngine {
			t.Fatalf("%s: %v", choice, m.Err)
		}
	}
}

// TestManyPagesAtOnce: a page needs its server for a moment only, so that many more pages than
// there may be servers can be drawn together.
func TestManyPagesAtOnce(t *testing.T) {
	redis := pageEngine(t, redisEngine, "", false)
	p := &player.Playground{Catalog: player.NewCatalog(builtInLessons(t)), Engines: []player.Engine{player.Embedded{}, redis}}
	server, err := web.NewServer(p, web.MaxSessions, []string{"example.com"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	pages := server.Handler()
	var all sync.WaitGroup
	for range 96 { // there may be 64 servers
		all.Go(func() {
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/en/lessons/eval/?e=redis", nil))
			if page := w.Body.String(); w.Code != http.StatusOK || strings.Contains(page, "in use") {
				_, at, _ := strings.Cut(page, "all real servers")
				t.Errorf("status %d: %.100s", w.Code, at)
			}
		})
	}
	all.Wait()
}
