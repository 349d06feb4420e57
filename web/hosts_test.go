package web

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// A name of another site can be made to mean this machine: its pages are then of the
// same origin as the server, by that name.
func TestOtherNamesAreRefused(t *testing.T) {
	_, server := site(t, 4)
	address := strings.TrimPrefix(server.URL, "http://")
	_, port, _ := strings.Cut(address, ":")
	for host, known := range map[string]bool{
		address: true, "localhost:" + port: true, "LOCALHOST": true, "localhost.": true, "127.0.0.1": true, "[::1]:" + port: true, "[::1]": true,
		"play.example.org": true, "Play.Example.org:443": true, "10.9.8.7": true,
		"evil.example": false, "evil.example:" + port: false, "localhost.evil.example": false, "127.0.0.1.evil.example": false,
		"play.example.org.evil.example": false, "192.168.7.7": false, "[2001:db8::1]": false, "0.0.0.0": false,
		"<script>": false, strings.Repeat("x", 5000): false, "a b": false,
	} {
		for path, lang := range map[string]string{"/en/lessons/eval/": "serve --host", "/zh/": "添加域名：playground serve --host", "/static/main.js": "serve --host", "/metrics": "serve --host"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatalf("%s: %v", host, err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if known && resp.StatusCode != http.StatusOK {
				t.Errorf("%s%s: status %d", host, path, resp.StatusCode)
			}
			if !known && resp.StatusCode != http.StatusBadRequest && // the HTTP server itself knows what is not a name
				(resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), lang) || len(body) > 1000) {
				t.Errorf("%s%s: status %d, %s", host, path, resp.StatusCode, body)
			}
		}
		_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http")+"/ws",
			http.Header{"Origin": {"http://" + host}, "Host": {host}})
		if known != (err == nil) {
			t.Errorf("a page of %s opens a session: %v", host, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
}
