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
	"syscall"
	"testing"
	"time"

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
	if _, err := os.Stat("../../static/dist/playground.wasm.gz"); err != nil {
		return fail("the player for browsers is not built: run make wasm")
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
	t    testing.TB
	url  string // without a slash at the end
	args []string
	env  []string
	cmd  *exec.Cmd
}

var printedAddress = regexp.MustCompile(`http://[^ /]+`)

// serve starts the playground on a free port.
func serve(t testing.TB, args ...string) *app {
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
