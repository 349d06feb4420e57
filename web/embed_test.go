package web

import (
	"strings"
	"testing"
)

func TestOnlyLessonsForFramesMayBeFramed(t *testing.T) {
	_, server := site(t, 2)
	for path, framed := range map[string]bool{
		"/embed/en/set-nx/": true, "/embed/zh/set-nx/?s=v1.00000000.A&p=1": true,
		"/en/lessons/set-nx/": false, "/en/lessons/set-nx/?view=embed": false, "/en/": false, "/embed/": false, "/embed/en/": false,
	} {
		got := get(t, server.URL+path)
		csp := got.Header.Get("Content-Security-Policy")
		if may := strings.HasSuffix(csp, "frame-ancestors *"); may != framed || !may && !strings.HasSuffix(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: Content-Security-Policy %q", path, csp)
		}
		if framed && !strings.Contains(got.body, `data-view="embed"`) {
			t.Errorf("%s does not look as in a frame", path)
		}
	}
}
