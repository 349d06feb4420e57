// Package browsertest drives the built playground with a real browser.
package browsertest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long anything may take before a test gives up, in real time.
const patience = 60 * time.Second

var (
	playground string          // the program under test
	browser    context.Context // one browser for all tests
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	fail := func(format string, args ...any) int {
		fmt.Fprintf(os.Stderr, "browsertest: "+format+"\n", args...)
		return 1
	}
	if _, err := os.Stat("../../static/dist/main.js"); err != nil {
		return fail("the client is not built: run make bundle")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		return fail("no chromium on PATH: run make servers")
	}
	dir, err := os.MkdirTemp("", "lockstep-browsertest-")
	if err != nil {
		return fail("%v", err)
	}
	defer os.RemoveAll(dir)
	playground = filepath.Join(dir, "playground")
	if out, err := exec.Command("go", "build", "-o", playground, "lockstep/cmd/playground").CombinedOutput(); err != nil {
		return fail("the playground does not build: %v\n%s", err, out)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.NoSandbox, // it may run as root
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1280, 900),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	var cancel context.CancelFunc
	browser, cancel = chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return fail("chromium does not start: %v", err)
	}
	return m.Run()
}

// app is one running playground.
type app struct {
	t    *testing.T
	url  string // without a slash at the end
	args []string
	env  []string
	cmd  *exec.Cmd
}

var printedAddress = regexp.MustCompile(`http://[^ /]+`)

// serve starts the playground on a free port.
func serve(t *testing.T, args ...string) *app {
	t.Helper()
	a := &app{t: t, args: args}
	a.start("127.0.0.1:0")
	t.Cleanup(a.stop)
	return a
}

func (a *app) start(addr string) {
	a.t.Helper()
	a.cmd = exec.Command(playground, append([]string{"serve", "--addr", addr}, a.args...)...)
	a.cmd.Env = append(os.Environ(), a.env...)
	a.cmd.Stderr = os.Stderr
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := a.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		a.t.Fatalf("the playground said %q, then %v", line, err)
	}
	a.url = printedAddress.FindString(line)
	go io.Copy(io.Discard, out) //nolint:errcheck // what it says later does not matter
}

// stop ends the playground as Ctrl-C does; it must end well.
func (a *app) stop() {
	a.t.Helper()
	if a.cmd == nil {
		return
	}
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		a.t.Error(err)
	}
	if err := a.cmd.Wait(); err != nil {
		a.t.Errorf("the playground ended with %v", err)
	}
	a.cmd = nil
}

// startAgain starts another playground at the address of one that was stopped.
func (a *app) startAgain() {
	a.t.Helper()
	a.start(strings.TrimPrefix(a.url, "http://"))
}

// tab is a browser tab with storage of its own. What its page reports as an error
// fails the test.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	errors   []string
	expected *regexp.Regexp // errors that the test provokes
}

func open(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, patience)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, e := range b.errors {
			if b.expected == nil || !b.expected.MatchString(e) {
				t.Errorf("the page reported: %s", e)
			}
		}
	})
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		b.errors = append(b.errors, "exception: "+text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			var parts []string
			for _, a := range e.Args {
				parts = append(parts, string(a.Value)+a.Description)
			}
			b.errors = append(b.errors, "console."+string(e.Type)+": "+strings.Join(parts, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			b.errors = append(b.errors, fmt.Sprintf("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

func (b *tab) expect(pattern string) { b.expected = regexp.MustCompile(pattern) }

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval runs JavaScript in the page.
func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits for a JavaScript expression to be true, also in the page that a
// navigation leads to.
func (b *tab) until(js string) {
	b.t.Helper()
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool]("Boolean("+js+")", chromedp.WithPollingInterval(15*time.Millisecond), chromedp.WithPollingTimeout(patience/2)))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "context with specified id") && !strings.Contains(err.Error(), "context was destroyed") {
			b.t.Fatalf("waiting for %s: %v; the page shows %s", js, err, eval[string](b, "document.body.innerText.slice(0, 3000)"))
		}
	}
}

// visit opens a lesson's page and waits for its first frame.
func (b *tab) visit(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until(revision + " > 0")
}

// revision is the number of the frame that the page has drawn last.
const revision = `Number(document.querySelector('[data-rev]')?.dataset.rev ?? 0)`

// act does something and waits until the page has drawn what came of it.
func (b *tab) act(do func()) {
	b.t.Helper()
	was := eval[int](b, revision)
	do()
	b.until(fmt.Sprintf("%s > %d", revision, was))
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.act(func() { b.do(chromedp.Click(chromedp.CSS(selector))) })
}

func (b *tab) key(keys string, options ...chromedp.KeyOption) {
	b.t.Helper()
	b.act(func() { b.do(chromedp.KeyEvent(keys, options...)) })
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.querySelector(%q).textContent.replace(/\s+/g, ' ').trim()`, selector))
}

func (b *tab) exists(selector string) bool {
	b.t.Helper()
	return eval[bool](b, fmt.Sprintf(`document.querySelector(%q) !== null`, selector))
}

// emulate sets how large the screen is, and what its user prefers.
func (b *tab) emulate(width, height int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	_, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// Parts of the page that tests use.
const (
	forward  = `#f-transport [data-op="step"][data-arg*=":1"]`
	back     = `#f-transport [data-op="step"][data-arg*="-1"]`
	first    = `#f-transport [data-op="seek"][data-key="Home"]`
	last     = `#f-transport [data-op="seek"][data-key="End"]`
	restart  = `#f-story [data-op="reset"]`
	toRedis  = `#f-engine [data-arg*="redis"]`
	embedded = `#f-engine [data-arg*="embedded"]`
)

func choice(text string) string { return fmt.Sprintf(`[data-op="choose"][data-arg*='"%s"']`, text) }

// shown is all that a page says about the world, part by part. The engine's name
// and the notices are about the session, not about the world.
func (b *tab) shown() map[string]string {
	b.t.Helper()
	return eval[map[string]string](b, `Object.fromEntries([...document.querySelectorAll('[id^="f-"]')]
		.filter(e => !['f-engine', 'f-notice'].includes(e.id))
		.map(e => {
			const part = e.cloneNode(true);
			if (e.id === 'f-keys') part.querySelector('.panel-head').remove(); // names the engine
			return [e.id, part.textContent.replace(/\s+/g, ' ').trim()];
		}))`)
}

// place is "3 / 7".
func (b *tab) place() string {
	b.t.Helper()
	return b.text("#f-place .num")
}

func (b *tab) at(want string) {
	b.t.Helper()
	if got := b.place(); got != want {
		b.t.Fatalf("the page is at %s, want %s", got, want)
	}
}
