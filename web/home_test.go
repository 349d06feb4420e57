package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lockstep/web/player"
)

func TestPagesAreCompressedForWhoTakesIt(t *testing.T) {
	_, server := site(t, 1)
	for _, path := range []string{"/en/", "/zh/compare/", "/zh/lessons/set-nx/"} {
		var texts []string
		for _, coding := range []string{"", "gzip", "gzip;q=0"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept-Encoding", coding) // by hand, so that the client does not unpack it
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var body io.Reader = resp.Body
			zipped := resp.Header.Get("Content-Encoding") == "gzip"
			if zipped != (coding == "gzip") || !strings.Contains(strings.Join(resp.Header.Values("Vary"), ","), "Accept-Encoding") {
				t.Errorf("%s for %q: compressed %t, Vary %q", path, coding, zipped, resp.Header.Values("Vary"))
			}
			if zipped {
				if body, err = gzip.NewReader(body); err != nil {
					t.Fatal(err)
				}
			}
			text, err := io.ReadAll(body)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		if texts[0] != texts[1] || texts[0] != texts[2] || !strings.HasSuffix(strings.TrimSpace(texts[0]), "</html>") {
			t.Errorf("%s: the texts differ, or are not whole", path)
		}
	}
}

// The home page shows the newest edition.
func TestTheHomePageFollowsTheCatalog(t *testing.T) {
	s, server := site(t, 1)
	home := func() string {
		resp, err := http.Get(server.URL + "/en/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		page, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	all := s.playground.Catalog.Now().Lessons
	if page := home(); !strings.Contains(words(page), "Two servers. One lock. Both inside.") {
		t.Error("the words of the headline run together") // on a phone they stand in one line
	}
	if page := home(); strings.Count(page, `class="thumb"`) != len(all) || !strings.Contains(page, `id="strip"`) {
		t.Errorf("%d lessons have %d thumbnails, and the collision is there: %t", len(all), strings.Count(page, `class="thumb"`), strings.Contains(page, `id="strip"`))
	}
	s.playground.Catalog.Publish(&player.Edition{Lessons: all[:1]})
	if page := home(); strings.Count(page, `class="thumb"`) != 1 || strings.Contains(page, `id="strip"`) || strings.Contains(page, "lessons/redisson-lock/") {
		t.Error("lessons that are gone are still on the page")
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

// words are the text of a page, as it is read aloud.
func words(page string) string {
	return strings.Join(strings.Fields(tags.ReplaceAllString(page, "")), " ")
}
