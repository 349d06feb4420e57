package browsertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"

	"github.com/chromedp/chromedp"
)

// attach starts playground attach, and returns where clients connect and where its page is.
func attach(t *testing.T) (addr, page string) {
	t.Helper()
	cmd := exec.Command(playground, "attach", "--addr", "127.0.0.1:0", "--http", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the playground ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	at := regexp.MustCompile(`connect to (\S+); what they do is at (\S+)`).FindStringSubmatch(line)
	if err != nil || at == nil {
		t.Fatalf("it says %q, %v", line, err)
	}
	go io.Copy(io.Discard, out) //nolint:errcheck // what it says later does not matter
	return at[1], at[2]
}

// redisClient is a client that sends one command after the other.
func redisClient(t *testing.T, addr, name string) (send func(command string)) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	replies := bufio.NewReader(conn)
	send = func(command string) {
		t.Helper()
		if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
			t.Fatal(err)
		}
		if _, err := replies.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	send("CLIENT SETNAME " + name)
	return send
}

// The page of real clients goes along with them, goes back, and makes a lesson of what they did.
func TestRealClientsAreFollowed(t *testing.T) {
	addr, page := attach(t)
	b := open(t)
	b.do(chromedp.Navigate(page))
	one, two := redisClient(t, addr, "orders-1"), redisClient(t, addr, "orders-2")
	one("SET stock t1 NX PX 600000")
	two("SET stock t2 NX PX 600000")
	b.until(`document.querySelector('#f-locks').textContent.includes('held by orders-1')`)
	b.until(`document.querySelector('#f-locks').textContent.includes('orders-2 has waited for')`)
	two("DEL stock")
	b.until(`document.querySelector('#f-warnings').textContent.includes('while orders-1 was inside')`)
	b.until(`document.querySelectorAll('#f-timeline .ev').length === 3`)

	b.do(press(`#f-timeline [data-step="1"]`))
	b.until(`document.querySelector('#f-live').textContent.includes('step 1 of 3')`)
	b.do(press(`#f-warnings [data-number]`))
	b.until(`document.querySelector('#f-live').textContent.includes('step 3 of 3')`)
	b.do(press(`#f-timeline [data-step="1"]`))
	b.until(`document.querySelector('#f-live').textContent.includes('step 1 of 3')`)
	b.do(press(`#f-warnings li form [type="submit"]`))
	b.until(`document.querySelector('#f-warnings').textContent.includes('No unread warnings')`)
	one("SET other x")
	b.until(`document.querySelector('#f-live').textContent.includes('step 1 of 4')`)
	b.do(press(`[data-op="now"]`))
	b.until(`document.querySelector('#f-live').textContent.includes('goes along')`)
	b.until(`document.querySelector('#f-keys').textContent.includes('other')`)

	b.isAccessible("en", "attach")
	b.do(press(`form[action="lesson"] button`))
	b.until(`document.querySelector('.title')?.textContent.includes('Recorded clients') ?? false`)
}

// What the rule on the page matches waits on its lane until it is let go, and the page is
// not loaded anew.
func TestRequestsAreHeldByHand(t *testing.T) {
	addr, page := attach(t)
	b := open(t)
	b.do(chromedp.EmulateViewport(1440, 900), chromedp.Navigate(page))
	one, two := redisClient(t, addr, "orders-1"), redisClient(t, addr, "orders-2")
	one("SET stock t1 NX PX 600000")
	b.until(`document.querySelector('#ev-1') !== null`) // or it would move the button that is clicked next
	eval[bool](b, `window.same = true`)
	b.do(
		typeInto(`form.hold [name="command"]`, "del"), typeInto(`form.hold [name="client"]`, "*-2"),
		press(`form.hold button`),
	)
	b.until(`document.querySelector('#f-rules').textContent.includes('DEL · client *-2')`)
	deleted := make(chan struct{})
	go func() {
		defer close(deleted)
		two("DEL stock")
	}()
	b.until(`document.querySelector('#f-held .held')?.textContent.includes('held for') ?? false`)
	if n := eval[int](b, `document.querySelectorAll('#f-warnings li').length`); n != 0 {
		t.Errorf("what is held has been done: %d warnings", n)
	}
	if apart := eval[float64](b, `(() => {
		const middle = (e) => { const r = e.getBoundingClientRect(); return r.left + r.width / 2; };
		const lane = [...document.querySelectorAll('#f-timeline .heads text')].find((e) => e.textContent === 'orders-2');
		return Math.abs(middle(lane) - middle(document.querySelector('#f-held .held button')));
	})()`); apart > 4 {
		t.Errorf("the held request is %v px beside its lane", apart)
	}
	b.isAccessible("en", "attach")
	for range 30 {
		one("EXISTS stock")
	}
	b.until(`document.querySelector('#ev-31') !== null`)
	b.until(`document.querySelector('.current > .ev').getBoundingClientRect().bottom <= document.querySelector('#f-held').getBoundingClientRect().top`)
	b.do(press(`#f-held .held button`))
	<-deleted
	b.until(`document.querySelector('#f-warnings').textContent.includes('while orders-1 was inside')`)
	b.until(`document.querySelector('#f-held').children.length === 0`)
	b.do(press(`#f-rules form button`))
	b.until(`!document.querySelector('#f-rules form')`)
	if !eval[bool](b, `window.same === true && document.querySelector('form.hold [name="command"]').value === 'del'`) {
		t.Error("the page was loaded anew")
	}
	one(`EVAL "return redis.call('GET', KEYS[1])" 1 stock`)
	b.until(`document.querySelector('#f-ran .said code')?.textContent === 'nil'`)
	if apart := eval[float64](b, `Math.abs(document.querySelector('#f-ran > i').getBoundingClientRect().top - document.querySelector('#f-script li').getBoundingClientRect().top)`); apart > 1 {
		t.Errorf("what a line did is %.0f pixels away from it", apart)
	}
}
