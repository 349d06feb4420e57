package site

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"lockstep/lessons"
	"lockstep/static"
	"lockstep/web/ui"
)

// folder is where the client's files are.
const folder = "static/"

// assets are the client's files under names that change with what is in them.
type assets struct {
	files map[string][]byte // by path
	order []string
	names map[string]string // path by plain name
	build string            // changes with any of them

	serviceWorker []byte // which has a place of its own
}

// readAssets takes in the built client and the lessons for its player.
func readAssets(catalog []*lessons.Lesson) (assets, error) {
	a := assets{files: map[string][]byte{}, names: map[string]string{}}
	err := fs.WalkDir(static.Dist(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, ".") {
			return err
		}
		data, err := fs.ReadFile(static.Dist(), name)
		if err != nil {
			return err
		}
		switch name {
		case offlineScript:
			a.serviceWorker = data
			return nil
		case "retire.js": // for servers
			return nil
		}
		return a.take(name, data)
	})
	if err != nil {
		return assets{}, fmt.Errorf("the client's files cannot be read: %w", err)
	}
	if a.serviceWorker == nil || a.names[ui.Module] == "" {
		return assets{}, errors.New("this program was built without its client: run make build")
	}
	data, err := lessons.Encode(catalog)
	if err != nil {
		return assets{}, err
	}
	if err := a.take(ui.Catalog, data); err != nil {
		return assets{}, err
	}
	all := sha256.New()
	for _, name := range a.order {
		fmt.Fprintln(all, name)
	}
	a.build = hex.EncodeToString(all.Sum(nil)[:8])
	return a, nil
}

// take keeps a file. A large one that only scripts fetch is kept twice, plain and
// as name.gz: hosts that do not compress serve the copy.
func (a *assets) take(name string, data []byte) error {
	plain, zipped := strings.CutSuffix(name, ".gz")
	switch {
	case zipped:
		full, err := static.Unzip(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		a.put(plain, hashed(plain, full), full)
		a.put(name, a.names[plain]+".gz", data)
	case name == ui.Catalog:
		copied, err := zip(data)
		if err != nil {
			return err
		}
		a.put(name, hashed(name, data), data)
		a.put(name+".gz", a.names[name]+".gz", copied)
	case path.Ext(name) == ".map", path.Ext(name) == ".woff2": // scripts name their maps, and the style sheet its fonts
		a.put(name, folder+name, data)
	default:
		a.put(name, hashed(name, data), data)
	}
	return nil
}

func (a *assets) put(name, at string, data []byte) {
	a.names[name], a.files[at] = at, data
	a.order = append(a.order, at)
}

// address is where a file is, from the site's folder; empty: there is no such file.
func (a *assets) address(name string) string { return a.names[name] }

func hashed(name string, data []byte) string {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	return folder + strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:6]) + ext
}

// zip compresses a file not as well as can be: that takes three times as long, for a hundredth.
func zip(data []byte) ([]byte, error) { return static.Zip(data, gzip.DefaultCompression) }

// forOffline is the files that a browser keeps for when there is no network: those
// without and with a compressed copy, and those that it keeps when they are used.
func (a *assets) forOffline() (files, zipped, later []string) {
	for _, at := range a.order {
		switch {
		case at == a.names[ui.AuthorModule]:
			later = append(later, at)
		case path.Ext(at) == ".map" || path.Ext(at) == ".gz":
		case slices.Contains(a.order, at+".gz"):
			zipped = append(zipped, at)
		default:
			files = append(files, at)
		}
	}
	return files, zipped, later
}
