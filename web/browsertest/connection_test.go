package browsertest

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
)

// sockets lets a test see the connections that a page opens.
const sockets = `window.sockets = []; { const Own = WebSocket;
	window.WebSocket = class extends Own { constructor(...args) { super(...args); sockets.push(this); } } }`

func (a *app) signal(s syscall.Signal) {
	a.t.Helper()
	if err := a.cmd.Process.Signal(s); err != nil {
		a.t.Fatal(err)
	}
}

// A server that says nothing more closes no connection: the page notices by itself, and
// what was clicked meanwhile is done when the server is back, once.
func TestAServerThatFallsSilentIsNoticed(t *testing.T) {
	a := serveOwn(t)
	b := open(t)
	b.first(sockets)
	b.visit(a.url + lesson)
	b.click(forward)
	a.signal(syscall.SIGSTOP)
	b.do(press(forward), press(forward))
	b.until(`document.documentElement.dataset.link === 'lost' && !document.querySelector('#lost').hidden`)
	b.do(press(forward))
	b.at("1 / 1")
	a.signal(syscall.SIGCONT)
	b.until(`document.documentElement.dataset.link === 'up' && document.querySelector('#f-place .num').textContent.startsWith('4 ')`)
	b.click(forward) // what came late would have come by now
	b.at("5 / 5")
	if b.exists("#undone:not([hidden])") {
		t.Error("the page says that something was not done")
	}
}

// What was sent twice and never answered might be what ends the server.
func TestWhatEndsTheConnectionTwiceIsLeft(t *testing.T) {
	a := serve(t)
	b := open(t)
	// Whoever sends a step loses the connection.
	b.first(sockets + `{ const send = WebSocket.prototype.send; window.broken = true;
		WebSocket.prototype.send = function (text) { broken && text.includes('"op":"step"') ? setTimeout(() => this.close()) : send.call(this, text) } }`)
	b.visit(a.url + lesson)
	b.do(press(forward))
	b.until(`!document.querySelector('#undone').hidden && sockets.length === 3 && document.documentElement.dataset.link === 'up'`)
	b.at("0 / 0")
	eval[bool](b, "broken = false, true")
	b.click(forward)
	b.at("1 / 1")
}

// A learner who does nothing for long may lose the place on the server, and gets another
// one with the next click.
func TestAPageThatRestsComesBackWithTheNextClick(t *testing.T) {
	a := serve(t)
	b := open(t)
	b.first(sockets)
	b.visit(a.url + lesson)
	b.click(forward)
	was := b.shown()
	eval[bool](b, `sockets[0].onmessage({data: '{"v":1,"op":"reply","id":0,"ok":false,"err":{"code":"idle","msg":""}}'}), true`)
	b.until(`sockets[0].readyState === WebSocket.CLOSED`)
	if n := eval[int](b, "sockets.length"); n != 1 || b.exists("#lost:not([hidden])") {
		t.Errorf("the page opens %d connections, and shows that it has none", n)
	}
	b.same(was, "while it rests")
	b.do(press(forward))
	b.until(`document.querySelector('#f-place .num').textContent.startsWith('2 ')`)
	b.at("2 / 2")
}

// taken takes all places on a server.
func taken(t *testing.T, a *app) {
	t.Helper()
	const places = 256
	for range places {
		ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), strings.Replace(a.url, "http", "ws", 1)+"/ws", http.Header{"Origin": {a.url}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		t.Cleanup(func() { ws.Close() })
		if _, hello, err := ws.ReadMessage(); err != nil || !strings.Contains(string(hello), "hello") {
			t.Fatalf("got %s, %v", hello, err)
		}
		go func() { // pings are answered by who reads
			for {
				if _, _, err := ws.ReadMessage(); err != nil {
					return
				}
			}
		}()
	}
}

func TestAFullServersLessonsRunInTheBrowser(t *testing.T) {
	a := serve(t)
	taken(t, a)
	b := open(t)
	b.visit(a.url + lesson + "?s=v1.00000000.A&p=1")
	b.until(up("browser"))
	if b.exists("#crowded[hidden]") {
		t.Error("the page does not say why it runs in the browser")
	}
	b.at("1 / 1")
	b.click(forward)
	b.at("2 / 2")
	b.do(press(embedded)) // still full
	b.until(`!document.querySelector('#crowded').hidden`)
	b.click(forward)
	b.at("3 / 3")
}
