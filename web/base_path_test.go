package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/web/class"
)

var addresses = regexp.MustCompile(`(?:href|src|action|data-root|data-wall|data-at|data-to|data-module|data-catalog|data-socket)="([^"#]+)"`)

// Whatever a page of a site in a folder names is in that folder, and what is named is there.
func TestASiteInAFolderNamesNothingOutsideOfIt(t *testing.T) {
	const folder = "/lockstep/"
	s, _ := site(t, 4)
	s.Under(folder)
	at, _ := classStore(t)
	store, err := class.OpenStore(at)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	s.OfferClasses(rooms)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); server.Close(); rooms.Close(); store.Close() })

	visitor := browse(t, server)
	for _, way := range []string{"/lockstep", folder} {
		if status, _, at := visitor.visit(way); status != http.StatusOK || at != folder+"en/" {
			t.Errorf("%s: %d at %s", way, status, at)
		}
	}
	status, _, wall := visitor.fill(folder+"class/open", "lesson", "set-nx")
	if status != http.StatusOK || !strings.HasPrefix(wall, folder+"en/class/") {
		t.Fatalf("a class: %d at %s", status, wall)
	}
	code := strings.TrimPrefix(wall, folder+"en/class/")
	seen := map[string]bool{}
	pages := []string{folder + "en/", folder + "zh/locks-compared/", folder + "en/lessons/set-nx", folder + "embed/en/set-nx/", folder + "class/", wall, folder + "nowhere"}
	learner := browse(t, server)
	if _, _, at := learner.fill(folder+"class/"+code+"/join", "name", "Ann"); at != folder+"en/lessons/set-nx/?class="+code {
		t.Errorf("who joins comes to %s", at)
	}
	for _, page := range pages {
		_, html, at := visitor.visit(page)
		from, err := url.Parse(server.URL + at)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range addresses.FindAllStringSubmatch(html, -1) {
			to, err := from.Parse(strings.ReplaceAll(found[1], "&amp;", "&"))
			if err != nil || to.Host != from.Host {
				continue // a picture in the page, or another site
			}
			if !strings.HasPrefix(to.Path, folder) {
				t.Errorf("%s names %s", at, to.Path)
			} else if strings.HasPrefix(to.Path, folder+"static/") || strings.HasSuffix(to.Path, ".svg") {
				seen[to.Path+"?"+to.RawQuery] = true
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("pages name too few files: %v", seen)
	}
	for file := range seen {
		if status, _, _ := visitor.visit(file); status != http.StatusOK {
			t.Errorf("%s: %d", file, status)
		}
	}
	outside, err := url.Parse(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	if cookies := visitor.Jar.Cookies(outside); len(cookies) != 0 {
		t.Errorf("the whole host sees %v", cookies)
	}
	for path, want := range map[string]int{healthz: http.StatusOK, readyz: http.StatusOK, "/": http.StatusNotFound, "/en/": http.StatusNotFound} {
		if status, _, _ := visitor.visit(path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
	c := dial(t, server.URL+"/lockstep")
	c.ok(`"op":"load","lesson":"set-nx"`)
	c.ok(`"op":"step","n":1`)
}
