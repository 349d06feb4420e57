package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"lockstep/static"
)

// files are the client's scripts and styles, and the player for browsers, in memory.
type files struct {
	byPath map[string]file
	build  string // changes with any of them
}

type file struct {
	data   []byte                 // nil when only the compressed form is kept
	zipped []byte                 // gzip; nil when compressing would not pay
	unzip  func() ([]byte, error) // the plain form where only the compressed one is kept, for clients that accept no gzip; unpacked once
	mime   string
	hash   string // of the file as it is kept
}

// mimes are fixed here because the system's own table may lack them or differ.
var mimes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".woff2":       "font/woff2",
}

// zipMin is the size in bytes below which a file is sent as it is.
const zipMin = 1 << 10

// clientFiles is what readFiles reads, once: the program carries the files, so they are the same for all servers.
var clientFiles = sync.OnceValues(readFiles)

// readFiles takes in the built client. What is compressed there, as name.gz, is
// served by its name without the ending.
func readFiles() (files, error) {
	f := files{byPath: map[string]file{}}
	all, dist := sha256.New(), static.Dist()
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		plain, zipped := strings.CutSuffix(name, ".gz")
		it := file{zipped: data, mime: kind(plain), hash: hashOf(data), unzip: sync.OnceValues(func() ([]byte, error) { return static.Unzip(data) })}
		if !zipped {
			it, err = newFile(name, data)
		}
		fmt.Fprintf(all, "%s %s\n", plain, it.hash)
		f.byPath[plain] = it
		return err
	})
	if err != nil {
		return files{}, fmt.Errorf("the client's files cannot be read: %w", err)
	}
	f.build = hex.EncodeToString(all.Sum(nil)[:8])
	return f, nil
}

// newFile compresses a file: uncompressed, the editor is three times as large.
func newFile(name string, data []byte) (file, error) {
	it := file{data: data, mime: kind(name), hash: hashOf(data)}
	switch ext := path.Ext(name); {
	case ext == ".map", // few ever ask for one
		ext == ".woff2", // compressed as it is
		len(data) < zipMin:
		return it, nil
	}
	var err error
	it.zipped, err = static.Zip(data, gzip.BestCompression)
	return it, err
}

func kind(name string) string {
	ext := path.Ext(name)
	return cmp.Or(mimes[ext], mime.TypeByExtension(ext), "application/octet-stream")
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// address is the address of a file, relative to the site's folder. It contains a hash of the
// file. It is empty if there is no such file.
func (f files) address(name string) string {
	it, ok := f.byPath[name]
	if !ok {
		return ""
	}
	return it.address(name)
}

func (f file) address(name string) string { return assets + "/" + name + "?v=" + f.hash }

// serve answers from memory. An address with the file's hash never changes; any
// other is asked for again each time, and the browser is told when it has not changed.
func (f files) serve(w http.ResponseWriter, r *http.Request) {
	found, ok := f.byPath[r.PathValue("path")]
	if !ok {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	found.serve(w, r)
}

// retired is the address of the service worker of a static site. Browsers that have visited
// such a site at this server's address ask for it now and then, and are told to forget it.
const retired = "sw.js"

func (s *Server) retire(w http.ResponseWriter, r *http.Request) {
	r.SetPathValue("path", "retire.js")
	s.files.serve(w, r)
}

func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	if r.URL.Query().Get("v") == f.hash || f.mime == mimes[".woff2"] { // the style sheet names fonts by what is in them
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.zipped != nil && takesGzip(r) {
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", `"`+f.hash+`-gzip"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.zipped))
		return
	}
	data, err := f.plain()
	if err != nil {
		http.Error(w, "this file was not built correctly: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h.Set("ETag", `"`+f.hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func (f file) plain() ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return f.unzip()
}

func takesGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		if coding == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(weight, "q="), 64)
			return weight == "" || err == nil && q > 0
		}
	}
	return false
}
