package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"rsc.io/qr"

	"lockstep/web/class"
	"lockstep/web/ui"
)

// classCode is the address of a class as a QR code. Whether visitors come by TLS, which a proxy may have ended
// without a word, the page that shows it knows.
func (s *Server) classCode(w http.ResponseWriter, r *http.Request) {
	code, ok := class.ParseCode(r.PathValue("code"))
	if !ok {
		s.notFound(w, r)
		return
	}
	to := url.URL{Scheme: "http", Host: r.Host, Path: s.root + ui.ClassPath + code}
	if from, err := url.Parse(r.Referer()); encrypted(r) || err == nil && from.Host == r.Host && from.Scheme == "https" {
		to.Scheme = "https"
	}
	drawn, err := qr.Encode(to.String(), qr.M)
	if err != nil {
		s.log.Error("a QR code cannot be drawn", "error", err)
		s.fail(w, r, http.StatusInternalServerError, somethingBroke)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprint(w, qrDrawing(drawn))
}

// qrDrawing has a light margin of four modules, which cameras need.
func qrDrawing(c *qr.Code) string {
	var path strings.Builder
	for y := range c.Size {
		for x := range c.Size {
			if c.Black(x, y) {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+4, y+4)
			}
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="%[2]s"/></svg>`, c.Size+8, path.String())
}
