package web

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"lockstep/web/class"
)

func TestAVisitorIsTheLastWhoIsNoTrustedProxy(t *testing.T) {
	trusted := proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"10.0.0.1:80", []string{"203.0.113.7"}, "203.0.113.7"},
		{"10.0.0.1:80", []string{"198.51.100.1, 203.0.113.7, 10.0.0.2"}, "203.0.113.7"},
		{"10.0.0.1:80", []string{"198.51.100.1", "203.0.113.7"}, "203.0.113.7"}, // two headers are one list
		{"10.0.0.1:80", []string{"203.0.113.7:4711"}, "203.0.113.7"},
		{"10.0.0.1:80", []string{"[2001:db8::1]:4711"}, "2001:db8::/64"},
		{"[fd00::1]:80", []string{"203.0.113.7"}, "203.0.113.7"},
		{"10.0.0.1:80", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"10.0.0.1:80", []string{"203.0.113.7, unknown"}, "10.0.0.1"},
		{"10.0.0.1:80", nil, "10.0.0.1"},
		{"192.0.2.1:80", []string{"203.0.113.7"}, "192.0.2.1"}, // anybody can say so
	} {
		var got string
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		r.Header[forwardedFor] = c.forwarded
		trusted.reveal(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = addressOf(r) })).ServeHTTP(httptest.NewRecorder(), r)
		if got != c.want {
			t.Errorf("from %s with %q: %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestOnlyATrustedProxySaysThatAPageIsEncrypted(t *testing.T) {
	for network, want := range map[string]bool{"192.0.2.0/24": true, "10.0.0.0/8": false} {
		s, _ := site(t, 1)
		s.TrustProxies([]netip.Prefix{netip.MustParsePrefix(network)})
		r := httptest.NewRequest(http.MethodGet, "http://play.example.org/en/lessons/eval/", nil) // from 192.0.2.1
		r.Header.Set(forwardedProto, "https")
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, r)
		cookies := answer.Result().Cookies()
		if len(cookies) != 1 || cookies[0].Secure != want {
			t.Errorf("trusting %s: cookies %v, want one that is for TLS only: %t", network, cookies, want)
		}
	}
}

// Who has the cookie of a class is its teacher: it must not go through the air as it is.
func TestTheTeacherOfAClassBehindTLSHasACookieForTLS(t *testing.T) {
	s, _ := site(t, 1)
	s.TrustProxies([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")})
	at, _ := classStore(t)
	store, err := class.OpenStore(at)
	if err != nil {
		t.Fatal(err)
	}
	rooms := class.NewRooms(store)
	t.Cleanup(func() { rooms.Close(); store.Close() })
	s.OfferClasses(rooms)
	r := httptest.NewRequest(http.MethodPost, "http://play.example.org/class/open", strings.NewReader("lesson=set-nx")) // from 192.0.2.1
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set(forwardedProto, "https")
	answer := httptest.NewRecorder()
	s.Handler().ServeHTTP(answer, r)
	if cookies := answer.Result().Cookies(); len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("%d, cookies %v", answer.Code, cookies)
	}
}

// The second version of the header is the first one in binary: the library writes and reads it.
func TestTheHeaderOfThePROXYProtocolIsReadFromTrustedPeers(t *testing.T) {
	const v1 = "PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n"
	const v2 = "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\xcb\x00\x71\x07\x0a\x00\x00\x01\x12\x67\x00\x50"
	for _, c := range []struct {
		trusted, header string
		want            string
	}{
		{"127.0.0.0/8", v1, "203.0.113.7"},
		{"127.0.0.0/8", v2, "203.0.113.7"},
		{"127.0.0.0/8", "", "127.0.0.1"},
		{"10.0.0.0/8", "", "127.0.0.1"},
		{"10.0.0.0/8", v1, ""}, // no request
	} {
		trusted := proxies{netip.MustParsePrefix(c.trusted)}
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := &http.Server{ReadHeaderTimeout: headerLimit, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, addressOf(r)) })}
		go server.Serve(trusted.listen(newConnectionLimiter(l, 4, trusted))) //nolint:errcheck // it ends with the test
		client, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(client, "%sGET / HTTP/1.0\r\n\r\n", c.header)
		resp, err := http.ReadResponse(bufio.NewReader(client), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if resp.StatusCode == http.StatusOK {
			if _, err := fmt.Fscan(resp.Body, &got); err != nil {
				t.Fatal(err)
			}
		}
		resp.Body.Close()
		if got != c.want {
			t.Errorf("trusting %s, %q: %s, want %s", c.trusted, c.header, got, c.want)
		}
		client.Close()
		server.Close()
	}
}

func TestATrustedProxyMayHaveAnyNumberOfConnections(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	limited := newConnectionLimiter(l, 1, proxies{netip.MustParsePrefix("127.0.0.1/32")})
	for range 3 {
		dialed, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer dialed.Close()
		accepted, err := limited.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer accepted.Close()
	}
}

// A proxy's check has a Host that is none of the server's.
func TestChecksAreAnsweredWhateverTheirHost(t *testing.T) {
	s, _ := site(t, 1)
	for path, want := range map[string]int{healthz: http.StatusOK, "/en/": http.StatusForbidden} {
		r := httptest.NewRequest(http.MethodGet, "http://haproxy.example"+path, nil)
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, r)
		if answer.Code != want {
			t.Errorf("%s: status %d, want %d", path, answer.Code, want)
		}
	}
}
