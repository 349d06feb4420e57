package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// attachTo starts playground attach, and returns where clients connect and where its page is.
func attachTo(t testing.TB, flags ...string) (addr, page string) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		ended <- start(ctx, terminal{printed, &complaints}, append([]string{"attach", "--addr", "127.0.0.1:0", "--http", "127.0.0.1:0"}, flags...))
	}()
	t.Cleanup(func() {
		interrupt()
		if code := <-ended; code != exitOK {
			t.Errorf("exit code %d: %s", code, complaints.String())
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	at := regexp.MustCompile(`connect to (\S+); what they do is at (\S+)`).FindStringSubmatch(line)
	if at == nil {
		t.Fatalf("it says %q", line)
	}
	return at[1], at[2]
}

// get asks for a page, and follows where it leads.
func get(t *testing.T, method, url, origin string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(all)
}

func TestAttachShowsWhatRealClientsDo(t *testing.T) {
	addr, page := attachTo(t)
	client := func(name string) *redis.Client {
		rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: name, DisableIdentity: true})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	if _, html := get(t, http.MethodGet, page, ""); !strings.Contains(html, "Let your service use the Redis at "+addr) || !strings.Contains(html, "no store for data") {
		t.Errorf("an empty page does not say how to begin:\n%s", html)
	}
	one, two := client("orders-1"), client("orders-2")
	if ok, err := one.SetNX(t.Context(), "stock", "token-1", time.Hour).Result(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if two.SetNX(t.Context(), "stock", "token-2", time.Hour).Val() {
		t.Error("two have the lock")
	}
	_, html := get(t, http.MethodGet, page, "")
	for _, says := range []string{"held by orders-1", "orders-2 has waited for", "No unread warnings."} {
		if !strings.Contains(html, says) {
			t.Errorf("the page does not say %q:\n%s", says, html)
		}
	}
	two.Del(t.Context(), "stock")
	if _, html := get(t, http.MethodGet, page, ""); !strings.Contains(html, ">orders-2 removed the lock &#34;stock&#34; while orders-1 was inside") {
		t.Errorf("there is no warning:\n%s", html)
	}
	_, html = get(t, http.MethodGet, page+"zh/attach/", "")
	if !strings.Contains(html, "删除了锁 stock") {
		t.Errorf("there is no warning in Chinese:\n%s", html)
	}
	if status, _ := get(t, http.MethodPost, page+"en/attach/lesson", "https://evil.example"); status != http.StatusForbidden {
		t.Errorf("another site's page may make a lesson: %d", status)
	}
	status, html := get(t, http.MethodPost, page+"en/attach/lesson", "")
	if status != http.StatusOK || !strings.Contains(html, "Recorded clients") || !strings.Contains(html, "data-ui=\"author\"") {
		t.Errorf("no lesson is made: %d\n%s", status, html)
	}
}

// With --to clients speak with their own Redis, and the page shows what they do there; a race is made by hand as on
// an embedded one.
func TestAttachStandsBeforeARedis(t *testing.T) {
	direct := redisOnPort(t)
	addr, page := attachTo(t, "--to", "redis://"+direct)
	client := func(addr, name string) *redis.Client {
		rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: name})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	one, two, past := client(addr, "orders-1"), client(addr, "orders-2"), client(direct, "past")
	if _, html := get(t, http.MethodGet, page, ""); !strings.Contains(html, "speaks with the Redis at "+direct) || strings.Contains(html, "no store for data") {
		t.Errorf("the page does not say what is behind it:\n%s", html)
	}
	post(t, page+"en/attach/hold", "", url.Values{"command": {"del"}, "client": {"orders-1"}})
	one.SetNX(t.Context(), "stock", "mine", time.Hour)
	released := make(chan int64)
	go func() {
		if one.Get(context.Background(), "stock").Val() == "mine" {
			released <- one.Del(context.Background(), "stock").Val()
		}
		close(released)
	}()
	events := listen(t, page, "")
	until(t, events, "Let it go")
	if past.Get(t.Context(), "stock").Val() != "mine" {
		t.Error("the held request was sent")
	}
	two.Del(t.Context(), "stock")
	two.SetNX(t.Context(), "stock", "another's", time.Hour)
	post(t, page+"en/attach/go", "", nil)
	if n := <-released; n != 1 || past.Exists(t.Context(), "stock").Val() != 0 {
		t.Errorf("released: %d", n)
	}
	until(t, events, "orders-1 removed the lock")
	past.SetNX(t.Context(), "old", "somebody's", time.Hour)
	two.SetNX(t.Context(), "old", "mine", time.Hour)
	until(t, events, "or longer")
	if status, html := get(t, http.MethodPost, page+"en/attach/lesson", ""); status != http.StatusOK || !strings.Contains(html, "Recorded clients") {
		t.Errorf("no lesson is made: %d\n%s", status, html)
	}
}

// listen opens the stream of a page of real clients.
func listen(t testing.TB, page, query string) *bufio.Scanner {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page+"en/attach/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	events := bufio.NewScanner(resp.Body)
	events.Buffer(nil, 4<<20)
	return events
}

// until reads a stream up to a text.
func until(t testing.TB, events *bufio.Scanner, text string) {
	t.Helper()
	for events.Scan() {
		if strings.Contains(events.Text(), text) {
			return
		}
	}
	t.Fatalf("nobody says %q: %v", text, events.Err())
}

// The page is told what happens, and a page of the past only what is new in it.
func TestAttachStreams(t *testing.T) {
	addr, page := attachTo(t)
	rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: "a", DisableIdentity: true})
	defer rdb.Close()
	now := listen(t, page, "")
	until(t, now, `"f-live"`)
	for i := range 5 {
		rdb.Set(t.Context(), fmt.Sprint("key-", i), "x", 0)
	}
	until(t, now, "key-4")
	past := listen(t, page, "?at=2")
	until(t, past, "You see the past: step 2 of 5.")
	rdb.Set(t.Context(), "key-5", "x", 0)
	until(t, past, "You see the past: step 2 of 6.")
}

// Pages that listen have a bound, and one that leaves makes room.
func TestAttachHasABoundOfPages(t *testing.T) {
	_, page := attachTo(t)
	join := func() (status int, leave func()) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page+"en/attach/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp.StatusCode, func() { resp.Body.Close() }
	}
	_, leave := join()
	for range 299 {
		if status, _ := join(); status != http.StatusOK {
			t.Fatal(status)
		}
	}
	status, _ := join()
	if status != http.StatusServiceUnavailable {
		t.Fatal(status)
	}
	leave()
	for status != http.StatusOK { // until the server has seen that it is gone
		status, _ = join()
	}
}

// Clients that send as fast as they can lose nothing while a page is open.
func TestAttachKeepsUp(t *testing.T) {
	addr, page := attachTo(t)
	now := listen(t, page, "")
	until(t, now, `"f-live"`)
	const clients, each = 4, 200
	var sending sync.WaitGroup
	for c := range clients {
		rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: fmt.Sprint("c", c), DisableIdentity: true})
		defer rdb.Close()
		sending.Go(func() {
			for i := range each {
				if err := rdb.Incr(t.Context(), fmt.Sprint("key-", i%70)).Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sending.Wait()
	until(t, listen(t, page, "?at=0"), fmt.Sprintf(" of %d.", clients*each))
	until(t, listen(t, page, "?at=700"), "step 700 of 800")
	past := listen(t, page, "?at=700")
	until(t, past, "672 earlier steps")
	if frame := past.Text(); !strings.Contains(frame, "88 later steps") || !strings.Contains(frame, " 699 700 701 ") {
		t.Error("the steps around it are others")
	}
}

// post sends a form of the page.
func post(t *testing.T, at, origin string, form url.Values) (status int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// GET and then DEL, with somebody else's SET between them, made by the page's forms; and the
// page ends with a request that is still held.
func TestAttachMakesARaceByHand(t *testing.T) {
	addr, page := attachTo(t)
	client := func(name string) *redis.Client {
		rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: name, DisableIdentity: true})
		t.Cleanup(func() { _ = rdb.Close() })
		return rdb
	}
	one, two := client("orders-1"), client("orders-2")
	live := page + "en/attach/"
	for _, form := range []string{"hold", "unhold", "go"} {
		if status := post(t, live+form, "https://evil.example", nil); status != http.StatusForbidden {
			t.Errorf("another site's page may send %s: %d", form, status)
		}
	}
	if status := post(t, live+"hold", "", url.Values{"key": {strings.Repeat("k", 2000)}}); status != http.StatusBadRequest {
		t.Errorf("a long key: %d", status)
	}
	if status := post(t, live+"hold", page[:len(page)-1], url.Values{"command": {"del"}, "client": {" *-1 "}}); status != http.StatusNoContent {
		t.Errorf("a rule: %d", status)
	}
	one.SetNX(t.Context(), "stock", "mine", time.Hour)
	released := make(chan int64)
	go func() {
		if one.Get(context.Background(), "stock").Val() == "mine" {
			released <- one.Del(context.Background(), "stock").Val()
		}
		close(released)
	}()
	events := listen(t, page, "")
	until(t, events, "Let it go")
	two.Del(t.Context(), "stock")
	two.SetNX(t.Context(), "stock", "another's", time.Hour)
	post(t, live+"go", "", nil)
	if n := <-released; n != 1 {
		t.Errorf("released: %d", n)
	}
	if _, html := get(t, http.MethodGet, page, ""); !strings.Contains(html, "removed the lock &#34;stock&#34; while orders-2 was inside") {
		t.Errorf("there is no warning:\n%s", html)
	}
	opens := &http.Client{CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		if q := to.URL.Query(); !strings.HasSuffix(q.Get("s"), ".orders-1") || q.Get("p") == "" {
			t.Errorf("the lesson does not open where the rule is broken, but at %s", to.URL)
		}
		return http.ErrUseLastResponse
	}}
	if resp, err := opens.PostForm(live+"lesson", nil); err != nil || resp.StatusCode != http.StatusSeeOther {
		t.Errorf("no lesson is made: %v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
	impatient, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(impatient, "CLIENT SETNAME orders-1\r\nDEL stock\r\n")
	until(t, events, "Let it go")
	impatient.Close()
	until(t, events, "DEL was not performed")
	for range 19 {
		post(t, live+"hold", "", url.Values{"key": {"x"}})
	}
	for lang, says := range map[string]string{"en": "There are 20 rules, and no more are possible", "zh": "已有 20 条规则"} {
		if status, html := get(t, http.MethodPost, page+lang+"/attach/hold", ""); status != http.StatusConflict || !strings.Contains(html, says) {
			t.Errorf("a rule too many: %d\n%s", status, html)
		}
	}
	go func() { _ = one.Del(context.Background(), "stock").Err() }()
	until(t, events, "Let it go")
}

// Beside the lines of a script stands what it did when it ran, whatever has become of its
// keys; but not when it used keys that it was not given.
func TestAttachLooksIntoScripts(t *testing.T) {
	addr, page := attachTo(t)
	rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: "a", DisableIdentity: true})
	defer rdb.Close()
	ctx := t.Context()
	rdb.Set(ctx, "lock", "mine", time.Minute)
	release := `if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`
	rdb.Eval(ctx, release, []string{"lock"}, "mine")
	rdb.Eval(ctx, release, []string{"lock"}, "mine")
	rdb.Eval(ctx, `return redis.call("GET", "lock")`, nil)
	rdb.Eval(ctx, `return #redis.call("GET", KEYS[1])`, []string{"long"})
	rdb.Set(ctx, "long", strings.Repeat("x", 400), 0)
	rdb.Eval(ctx, `return #redis.call("GET", KEYS[1])`, []string{"long"})
	if _, html := get(t, http.MethodGet, page, ""); !strings.Contains(html, "delete if the token is still there (") {
		t.Error("the scripts to hold back have no names")
	}
	said := regexp.MustCompile(`<code>([^<]*)</code>`)
	for step, want := range map[int]string{1: "", 2: "&#34;mine&#34; 1", 3: "nil", 4: "", 7: ""} {
		events := listen(t, page, fmt.Sprint("?at=", step))
		until(t, events, "step "+strconv.Itoa(step)+" of 7")
		var frame struct{ Frags []struct{ ID, HTML string } }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(events.Text(), "data: ")), &frame); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range frame.Frags {
			if f.ID == "f-ran" {
				for _, m := range said.FindAllStringSubmatch(f.HTML, -1) {
					got = append(got, m[1])
				}
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("beside the lines of step %d stands %q, not %q", step, got, want)
		}
	}
}

func TestAttachIsForThisMachine(t *testing.T) {
	for name, args := range map[string][]string{
		"the page":           {"attach", "--http", "0.0.0.0:0"},
		"without a password": {"attach", "--addr", "0.0.0.0:0", "--http", "127.0.0.1:0"},
		"an argument":        {"attach", "x"},
		"no address":         {"attach", "--addr", "x"},
		"before a Redis":     {"attach", "--addr", "0.0.0.0:0", "--http", "127.0.0.1:0", "--to", "redis://127.0.0.1"},
	} {
		var complaints bytes.Buffer
		if code := start(t.Context(), terminal{io.Discard, &complaints}, args); code != exitUsage {
			t.Errorf("%s: exit code %d: %s", name, code, complaints.String())
		}
	}
	t.Setenv(passwordVariable, "sesame")
	addr, _ := attachTo(t)
	rdb := redis.NewClient(&redis.Options{Addr: addr, DisableIdentity: true})
	defer rdb.Close()
	if err := rdb.Get(t.Context(), "k").Err(); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("without the password: %v", err)
	}
}

// A client that comes back has its lane and its colour again, whoever came or left meanwhile.
func TestAttachKnowsWhoComesBack(t *testing.T) {
	addr, page := attachTo(t)
	does := func(name string) {
		rdb := redis.NewClient(&redis.Options{Addr: addr, ClientName: name, DisableIdentity: true})
		defer rdb.Close()
		if err := rdb.Incr(t.Context(), "n").Err(); err != nil {
			t.Error(err)
		}
	}
	head := regexp.MustCompile(`<text class="(hue-\d)"[^>]*>([^<]*)</text>`)
	for _, tt := range []struct{ comes, lanes string }{
		{"orders-1", "hue-1 orders-1"},
		{"orders-2", "hue-1 orders-1, hue-2 orders-2"},
		{"orders-3", "hue-1 orders-1, hue-2 orders-2, hue-3 orders-3"},
		{"orders-1", "hue-1 orders-1, hue-2 orders-2, hue-3 orders-3"},
		{"orders-2", "hue-1 orders-1, hue-2 orders-2, hue-3 orders-3"},
	} {
		does(tt.comes)
		_, html := get(t, http.MethodGet, page, "")
		var lanes []string
		for _, m := range head.FindAllStringSubmatch(html, -1) {
			lanes = append(lanes, m[1]+" "+m[2])
		}
		if got := strings.Join(lanes, ", "); got != tt.lanes {
			t.Errorf("when %s has come, the lanes are %s, not %s", tt.comes, got, tt.lanes)
		}
	}
}
