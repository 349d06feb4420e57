package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gorilla/websocket"
)

// redisServer is a server that a test can kill and start again.
type redisServer struct {
	t      *testing.T
	socket string
	cmd    *exec.Cmd
}

func startRedis(t *testing.T) *redisServer {
	t.Helper()
	r := &redisServer{t: t, socket: filepath.Join(t.TempDir(), "redis.sock")}
	t.Cleanup(r.kill)
	r.start()
	return r
}

func (r *redisServer) url() string { return "unix://" + r.socket }

func (r *redisServer) start() {
	r.t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		r.t.Fatal("no redis-server on PATH: run make servers")
	}
	r.cmd = exec.Command(program, "--port", "0", "--unixsocket", r.socket, "--save", "", "--dir", filepath.Dir(r.socket), "--logfile", "")
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	var log strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(log.String(), "eady to accept connections") && !strings.Contains(log.String(), "now ready to accept") {
		n, err := out.Read(buf)
		log.Write(buf[:n])
		if err != nil {
			r.t.Fatalf("redis-server said %s, then %v", log.String(), err)
		}
	}
	go func() {
		for {
			if _, err := out.Read(buf); err != nil {
				return
			}
		}
	}()
}

func (r *redisServer) kill() {
	if r.cmd == nil {
		return
	}
	_ = r.cmd.Process.Kill() // it may be dead already
	_ = r.cmd.Wait()
	r.cmd = nil
	_ = os.Remove(r.socket)
}

func (r *redisServer) keys() string {
	r.t.Helper()
	return r.cli("--scan")
}

func (r *redisServer) cli(args ...string) string {
	r.t.Helper()
	cli, err := exec.LookPath("redis-cli")
	if err != nil {
		r.t.Fatal("no redis-cli on PATH: run make servers")
	}
	out, err := exec.Command(cli, append([]string{"-s", r.socket}, args...)...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("redis-cli: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestALessonSurvivesTheDeathOfItsRedis(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	a := serve(t, "--redis-url", redis.url())
	b := open(t)
	b.visit(a.url + lesson + "?e=redis")
	b.click(forward)
	b.click(forward)
	if keys := redis.keys(); !strings.Contains(keys, "lockstep:") {
		t.Fatalf("the server holds %q", keys)
	}
	was := b.shown()

	redis.kill()
	b.click(forward)
	if !b.exists("#f-notice .notice-error") {
		t.Fatalf("the notice is %q", b.text("#f-notice"))
	}
	b.at("2 / 2")
	b.click(forward) // by now the reply to the first attempt has been read
	if !b.exists("#failed[hidden]") {
		t.Errorf("the page says it twice: %s", b.text("#failed"))
	}
	for id, text := range b.shown() {
		if text != was[id] {
			t.Errorf("after the server died %s shows\n%s\nwas\n%s", id, text, was[id])
		}
	}
	b.click(back)
	b.at("1 / 2")
	b.click(forward)

	redis.start()
	b.click(forward)
	b.at("3 / 3")
	if b.exists("#f-notice .notice") {
		t.Errorf("the notice is still %q", b.text("#f-notice"))
	}
	redis.kill()
	b.click(embedded)
	b.click(forward)
	b.at("4 / 4")
}

func TestAPageThatIsLeftTakesItsKeysAlong(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	a := serve(t, "--redis-url", redis.url())
	b := open(t)
	b.visit(a.url + lesson + "?e=redis")
	b.click(forward)
	if redis.keys() == "" {
		t.Fatal("the server holds nothing")
	}
	a.stop() // waits for its sessions
	if keys := redis.keys(); keys != "" {
		t.Errorf("the playground left %q behind", keys)
	}
	b.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
}

func TestAMissingRedisIsExplained(t *testing.T) {
	t.Parallel()
	a := &app{t: t, env: []string{"PATH=/nowhere"}}
	a.start("127.0.0.1:0")
	t.Cleanup(a.stop)
	b := open(t)
	b.visit(a.url + lesson)
	b.click(forward) // by then the search for a server has ended
	if !b.exists(toRedis + ":disabled") {
		t.Fatal("an engine that is not there can be chosen")
	}
	if why := b.text("#why-redis"); !strings.Contains(why, "redis-server") || !strings.Contains(why, "install") {
		t.Errorf("the reason is %q", why)
	}
}

func TestAnUnreachableRedisIsExplained(t *testing.T) {
	t.Parallel()
	a := serve(t, "--redis-url", "redis://:secret@127.0.0.1:1")
	b := open(t)
	b.visit(a.url + lesson + "?e=redis")
	if !b.exists("#f-notice .notice-error") {
		t.Errorf("the notice is %q", b.text("#f-notice"))
	}
	if page := eval[string](b, `document.documentElement.innerHTML`); strings.Contains(page, "secret") {
		t.Error("the page tells the password")
	}
	b.click(forward)
	b.at("1 / 1")
}

// Another site's page in the same browser must not reach the playground.
func TestAnotherOriginGetsNoSession(t *testing.T) {
	t.Parallel()
	a := serve(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><title>other</title>`)
	}))
	defer other.Close()
	b := open(t)
	b.expect("403")
	b.do(chromedp.Navigate(other.URL))
	outcome := eval[string](b, fmt.Sprintf(`new Promise(done => {
		const s = new WebSocket('ws%s/ws');
		s.onopen = () => done('open');
		s.onerror = () => done('refused');
	})`, strings.TrimPrefix(a.url, "http")))
	if outcome != "refused" {
		t.Errorf("the socket is %s", outcome)
	}
}

func TestNonsenseOnASocketIsAnswered(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(a.url, "http")+"/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	resp.Body.Close()
	for _, data := range []string{"{", "nonsense", `{"v":1,"id":3,"op":"step","n":{}}`} {
		if err := ws.WriteMessage(websocket.TextMessage, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 { // hello and three replies
		_, data, err := ws.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), `"hello"`) && !strings.Contains(string(data), `"bad-message"`) {
			t.Errorf("answered %s", data)
		}
	}
	b := open(t)
	b.visit(a.url + lesson)
	b.click(forward)
}
