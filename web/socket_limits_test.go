package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/web/player"
)

func TestAnOverlongMessageEndsTheSocketOnly(t *testing.T) {
	_, server := site(t, 1)
	for _, compressed := range []bool{false, true} { // compressed these are a few bytes
		c := untilSeatedWith(t, server.URL, &websocket.Dialer{EnableCompression: compressed})
		c.write(strings.Repeat("x", readLimit+1))
		_, _, err := c.ws.ReadMessage()
		if !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
			t.Fatalf("the socket ended with %v", err)
		}
	}
	again := untilSeated(t, server.URL)
	again.ok(`"op":"load","lesson":"eval"`)
}

// untilSeated dials until the seat of a socket that has ended is free.
func untilSeated(t *testing.T, url string) *client {
	t.Helper()
	return untilSeatedWith(t, url, websocket.DefaultDialer)
}

func untilSeatedWith(t *testing.T, url string, d *websocket.Dialer) *client {
	t.Helper()
	for {
		c := dialWith(t, url, d)
		if m := c.next(); m.Hello != nil {
			return c
		}
	}
}

func TestOtherOriginsAreRefused(t *testing.T) {
	_, server := site(t, 4)
	address := "ws" + strings.TrimPrefix(server.URL, "http") + "/ws"
	for _, origin := range []string{"http://evil.example", "null", server.URL + ".evil.example", "http://127.0.0.1:1", "::"} {
		_, resp, err := websocket.DefaultDialer.DialContext(t.Context(), address, http.Header{"Origin": {origin}})
		if !errors.Is(err, websocket.ErrBadHandshake) {
			t.Fatalf("%s: %v", origin, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusForbidden || !strings.Contains(string(body), "only the playground's own pages") {
			t.Errorf("%s: status %d, %q, %v", origin, resp.StatusCode, body, err)
		}
		resp.Body.Close()
	}
}

func TestAFullServerSaysSo(t *testing.T) {
	_, server := site(t, 1)
	first := dial(t, server.URL)
	first.next()
	if m := dial(t, server.URL).next(); m.Reply == nil || m.Err.Code != player.CodeFull || !strings.Contains(m.Err.Msg, "All places on the server are taken") {
		t.Errorf("the second socket is told %+v", m)
	}
	if got := get(t, server.URL+"/en/lessons/eval/?s=v1.00000000.A"); got.StatusCode != http.StatusOK || !strings.Contains(got.body, `data-pos="1"`) {
		t.Errorf("a page: status %d", got.StatusCode)
	}
	first.ws.Close()
	untilSeated(t, server.URL).ok(`"op":"load","lesson":"eval"`)
}

// from dials from an address of this machine.
func from(t *testing.T, url, address string) *client {
	t.Helper()
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return dialWith(t, url, &websocket.Dialer{NetDialContext: d.DialContext})
}

func TestOneAddressCannotTakeAllPlaces(t *testing.T) {
	_, server := site(t, 2)
	first, second := from(t, server.URL, "127.0.0.1"), from(t, server.URL, "127.0.0.1")
	first.ok(`"op":"load","lesson":"eval"`)
	second.ok(`"op":"load","lesson":"eval","lang":"zh"`)
	second.ok(`"op":"check","part":"script:fixed","source":"return 1"`) // what it sent before has come
	first.ok(`"op":"step","n":1`)
	other := from(t, server.URL, "127.0.0.2")
	other.ok(`"op":"load","lesson":"eval"`)
	if m := second.next(); m.Reply == nil || m.Err.Code != player.CodeFull || !strings.Contains(m.Err.Msg, "服务器上的会话已满") {
		t.Errorf("who loses the place is told %+v", m)
	}
	if _, _, err := second.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
		t.Errorf("its socket ends with %v", err)
	}
	first.ok(`"op":"step","n":1`)
	if m := from(t, server.URL, "127.0.0.1").next(); m.Reply == nil || m.Err.Code != player.CodeFull {
		t.Errorf("a second one from the first address is told %+v", m)
	}
}

// Large commands wait one at a time, or all sockets together could fill the memory.
func TestManyLargeCommandsAreCarriedOut(t *testing.T) {
	_, server := site(t, 1)
	c := dial(t, server.URL)
	c.ok(`"op":"load","lesson":"eval"`)
	for range 2 * maxQueued {
		c.id++
		c.write(fmt.Sprintf(`{"v":1,"id":%d,"op":"check","part":"script:fixed","source":"return 1 --%s"}`, c.id, strings.Repeat("x", 2*smallCommand)))
	}
	for answered := int64(1); answered < c.id; {
		if m := c.next(); m.Reply != nil {
			if answered++; m.ID != answered || m.Err != nil {
				t.Fatalf("command %d is answered with %+v", answered, m.Reply)
			}
		}
	}
}
