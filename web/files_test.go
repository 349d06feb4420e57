package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"lockstep/web/ui"
)

func TestTheEditorKeepsItsBudget(t *testing.T) {
	_, server := site(t, 4)
	if zipped := get(t, server.URL+"/static/editor.js", "Accept-Encoding", "gzip"); len(zipped.body) > 130<<10 {
		t.Errorf("the editor has %d bytes of gzip", len(zipped.body))
	}
}

func TestFilesAreCached(t *testing.T) {
	s, server := site(t, 4)
	for _, test := range []struct{ path, mime string }{
		{"/static/main.js", "text/javascript; charset=utf-8"},
		{"/static/editor.js", "text/javascript; charset=utf-8"},
		{"/static/style.css", "text/css; charset=utf-8"},
		{"/static/worker.js", "text/javascript; charset=utf-8"},
		{"/static/playground.wasm", "application/wasm"},
		{"/static/lessons.json", "application/json"},
	} {
		first := get(t, server.URL+test.path)
		if first.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d", test.path, first.StatusCode)
		}
		if first.Header.Get("Content-Type") != test.mime || first.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: headers %v", test.path, first.Header)
		}
		again := get(t, server.URL+test.path, "If-None-Match", first.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified || again.body != "" {
			t.Errorf("%s with its ETag: status %d", test.path, again.StatusCode)
		}
		built := get(t, server.URL+"/"+s.address(strings.TrimPrefix(test.path, "/static/")))
		if !strings.Contains(built.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s of this build: %s", test.path, built.Header.Get("Cache-Control"))
		}
	}
}

func TestFilesAreCompressedForThoseWhoTakeIt(t *testing.T) {
	_, server := site(t, 4)
	for _, path := range []string{"/static/editor.js", "/static/main.js", "/static/playground.wasm", "/static/lessons.json"} {
		plain := get(t, server.URL+path, "Accept-Encoding", "identity")
		if plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: encoded as %s for who takes none", path, plain.Header.Get("Content-Encoding"))
		}
		unfolded := map[string]bool{}
		for _, takes := range []string{"gzip", "br, gzip;q=0.5", "deflate,gzip ; q=1"} {
			zipped := get(t, server.URL+path, "Accept-Encoding", takes)
			if zipped.Header.Get("Content-Encoding") != "gzip" || zipped.Header.Get("ETag") == plain.Header.Get("ETag") {
				t.Fatalf("%s for %q: headers %v", path, takes, zipped.Header)
			}
			if unfolded[zipped.body] { // the same again
				continue
			}
			r, err := gzip.NewReader(strings.NewReader(zipped.body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(r); err != nil || string(body) != plain.body {
				t.Errorf("%s for %q unfolds to %d bytes, %v; it has %d", path, takes, len(body), err, len(plain.body))
			}
			unfolded[zipped.body] = true
		}
		for _, takes := range []string{"br", "gzip;q=0", "x-gzip"} {
			if got := get(t, server.URL+path, "Accept-Encoding", takes); got.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s for %q is encoded", path, takes)
			}
		}
	}
}

// Whoever asks for a large file and then reads slowly must not cost its size.
func TestAFileIsUnfoldedOnceForAll(t *testing.T) {
	s, _ := site(t, 1)
	f := s.files.byPath[ui.Module]
	first, err := f.plain()
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.files.byPath[ui.Module].plain()
	if err != nil || len(first) == 0 || &first[0] != &again[0] {
		t.Errorf("%d bytes are unfolded for each who asks, %v", len(again), err)
	}
}
