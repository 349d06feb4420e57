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

	"github.com/chromedp/chromedp"

	"lockstep/static/built"
)

var (
	workplace  string          // a folder for what the tests make
	playground string          // the program under test
	browser    context.Context // for all tabs that no test looks at
	screen     context.Context // another browser, which draws what is in its tabs
	shared     *app            // one playground for all tests that leave it as it is
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	fail := func(format string, args ...any) int {
		fmt.Fprintf(os.Stderr, "browsertest: "+format+"\n", args...)
		return 1
	}
	if err := built.Need("../../static/dist/main.js", "../../static/dist/playground.wasm.gz", axeCore); err != nil {
		return fail("%v", err)
	}
	// Chromium without its own windows, which cost as much as the pages in them.
	chromium, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		return fail("there is no chromium-headless-shell on PATH: run `make servers` first")
	}
	dir, err := os.MkdirTemp("", "lockstep-browsertest-")
	if err != nil {
		return fail("%v", err)
	}
	defer os.RemoveAll(dir)
	workplace = dir
	playground = filepath.Join(dir, "playground")
	if out, err := exec.Command("go", "build", "-o", playground, "lockstep/cmd/playground").CombinedOutput(); err != nil {
		return fail("the playground does not build: %v\n%s", err, out)
	}
	// Who never draws a page saves half of what a step in it costs: it is laid out when a test asks.
	for name, b := range map[string]struct {
		tabs  *context.Context
		draws bool
	}{"browser": {&browser, false}, "screen": {&screen, true}} {
		tabs, quit, err := start(chromium, filepath.Join(dir, name), b.draws)
		defer quit()
		if err != nil {
			return fail("chromium does not start: %v", err)
		}
		*b.tabs = tabs
	}
	shared = &app{}
	if err := shared.run("127.0.0.1:0"); err != nil {
		return fail("%v", err)
	}
	code := m.Run()
	if err := shared.end(); err != nil {
		return fail("%v", err)
	}
	return code
}

// openSources opens the folders that the playground and the storybook are made of. This package
// links neither, and Go's test cache takes its result again while all that its tests have opened is
// as it was.
var openSources = sync.OnceValue(func() error {
	const sources = `{{with .Module}}{{if .Main}}{{$.Dir}}{{range $.EmbedFiles}}{{"\n"}}{{$.Dir}}/{{.}}{{end}}{{"\n"}}{{end}}{{end}}`
	list, err := exec.Command("go", "list", "-deps", "-f", sources, "lockstep/cmd/playground").Output()
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(string(list)) {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			_, err = os.ReadDir(name)
		}
		if err != nil {
			return err
		}
	}
	_, err = os.Stat("../../go.sum")
	return err
})

// start starts a browser, in whose context tabs can be opened.
func start(chromium, profile string, draws bool) (tabs context.Context, quit func(), err error) {
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(profile),
		chromedp.NoSandbox, // it may run as root
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1280, 900),
		chromedp.Flag("js-flags", "--liftoff-only"),           // of V8's two compilers for WebAssembly, the quick one: no tab lives long
		chromedp.Flag("disable-threaded-compositing", !draws), // without that thread, nothing asks a page of this Chromium for a frame
	)...)
	tabs, closeTabs := chromedp.NewContext(allocator)
	return tabs, func() { closeTabs(); stop() }, chromedp.Do(tabs)
}

// app is one running playground.
type app struct {
	t    testing.TB // none: it is not one test's own
	url  string     // without a slash at the end
	args []string
	env  []string
	cmd  *exec.Cmd
}

var printedAddress = regexp.MustCompile(`http://[^ /]+`)

// serve is the playground of all tests or, with arguments, one of the test's own.
func serve(t testing.TB, args ...string) *app {
	t.Helper()
	if len(args) == 0 {
		return shared
	}
	return serveOwn(t, args...)
}

// serveOwn starts a playground on a free port, which the test may stop.
func serveOwn(t testing.TB, args ...string) *app {
	t.Helper()
	a := &app{t: t, args: args}
	a.start("127.0.0.1:0")
	t.Cleanup(a.stop)
	return a
}

func (a *app) start(addr string) {
	a.t.Helper()
	if err := a.run(addr); err != nil {
		a.t.Fatal(err)
	}
}

func (a *app) stop() {
	if a.t == nil {
		panic("this playground is that of all tests: take one with serveOwn")
	}
	a.t.Helper()
	if err := a.end(); err != nil {
		a.t.Error(err)
	}
}

// startAgain starts another playground at the address of one that was stopped.
func (a *app) startAgain() {
	a.t.Helper()
	a.start(strings.TrimPrefix(a.url, "http://"))
}

func (a *app) run(addr string) error {
	a.cmd = exec.Command(playground, append([]string{"serve", "--addr", addr}, a.args...)...)
	a.cmd.Env = append(os.Environ(), a.env...)
	a.cmd.Stderr = os.Stderr
	out, err := a.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := a.cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the playground said %q, then %w", line, err)
	}
	a.url = printedAddress.FindString(line)
	go io.Copy(io.Discard, out) //nolint:errcheck // what it says later does not matter
	return nil
}

// end ends the playground as Ctrl-C does; it must end well.
func (a *app) end() error {
	if a.cmd == nil {
		return nil
	}
	if err := a.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := a.cmd.Wait(); err != nil {
		return fmt.Errorf("the playground ended with %w", err)
	}
	a.cmd = nil
	return nil
}
