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

	b.do(chromedp.Click(chromedp.CSS(`#f-timeline [data-step="1"]`)))
	b.until(`document.querySelector('#f-live').textContent.includes('step 1 of 3')`)
	b.until(`document.querySelector('#f-warnings').textContent.includes('None so far')`)
	one("SET other x")
	b.until(`document.querySelector('#f-live').textContent.includes('step 1 of 4')`)
	b.do(chromedp.Click(chromedp.CSS(`[data-op="now"]`)))
	b.until(`document.querySelector('#f-live').textContent.includes('goes along')`)
	b.until(`document.querySelector('#f-keys').textContent.includes('other')`)

	b.isAccessible("en", "attach")
	b.do(chromedp.Click(chromedp.CSS(`form[action="lesson"] button`)))
	b.until(`document.querySelector('.title')?.textContent.includes('Recorded clients') ?? false`)
}
