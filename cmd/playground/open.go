package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"runtime"
	"syscall"

	"github.com/cli/browser"
)

// defaultAddress is where serve listens unless it is told another.
const defaultAddress = "127.0.0.1:8080"

// opens is the flag with which serve opens the page in a browser.
func (f *serveFlags) opens(flags *flag.FlagSet) {
	flags.BoolVar(&f.open, "open", false, "open the page in a browser, and listen on any free port where that of the default address is taken")
}

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
