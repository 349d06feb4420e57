package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"lockstep/static"
)

// files are the client's scripts and styles, read once.
type files struct {
	byPath map[string]file
	digest string // of all of them: the build that a page must be of
}

type file struct {
	data []byte
	gzip []byte // the same, compressed; nil when that does not pay
	mime string
	etag string
}

// mimes are fixed here, since a machine's own table may lack them or differ.
var mimes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".map":         "application/json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".webmanifest": "application/manifest+json",
}

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
		kind := mimes[path.Ext(name)]
		if kind == "" {
			kind = mime.TypeByExtension(path.Ext(name))
		}
		if kind == "" {
			kind = "application/octet-stream"
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(all, "%s %x\n", name, sum)
		small, err := compressed(name, data)
		if err != nil {
			return err
		}
		f.byPath[name] = file{data: data, gzip: small, mime: kind, etag: hex.EncodeToString(sum[:12])}
		return nil
	})
	if err != nil {
		return files{}, fmt.Errorf("the client's files cannot be read: %w", err)
	}
	f.digest = hex.EncodeToString(all.Sum(nil)[:8])
	return f, nil
}

// serve answers from memory. An address that names the build never changes; for
// any other a browser asks again each time, and is told when nothing has changed.
func (f files) serve(w http.ResponseWriter, r *http.Request) {
	found, ok := f.byPath[r.PathValue("path")]
	if !ok {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	data, etag := found.data, found.etag
	w.Header().Set("Vary", "Accept-Encoding")
	if found.gzip != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		data, etag = found.gzip, found.etag+"-gzip"
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Content-Type", found.mime)
	w.Header().Set("ETag", `"`+etag+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == f.digest {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// compressed is a file of the client's code as it goes over a line: the editor is
// three times as large without.
func compressed(name string, data []byte) ([]byte, error) {
	if ext := path.Ext(name); ext != ".js" && ext != ".css" {
		return nil, nil
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
