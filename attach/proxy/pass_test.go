package proxy

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/conversations"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// freePort is an address of this machine that nobody listens on.
func freePort(t testing.TB) (addr, port string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	addr = listener.Addr().String()
	_, port, err = net.SplitHostPort(addr)
	must(t, err)
	return addr, port
}

// server starts a real Redis on a port of this machine.
func server(t testing.TB, args ...string) (addr string) {
	t.Helper()
	addr, port := freePort(t)
	conversations.StartServer(t, conversations.RedisServer(t), append([]string{"--port", port, "--bind", "127.0.0.1"}, args...)...)
	return addr
}

// between puts a proxy before a Redis, and returns where it listens and what ends it.
func between(t testing.TB, to Upstream) (p *Proxy, addr string, end func()) {
	t.Helper()
	p = New(to, slog.New(slog.NewTextHandler(io.Discard, nil)))
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- p.Serve(ctx, listener) }()
	ended := false
	end = func() {
		if !ended {
			ended = true
			cancel()
			if err := <-served; err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(end)
	return p, listener.Addr().String(), end
}

// client is a connection by hand.
type client struct {
	net.Conn

	in *bufio.Reader
}

func connect(t testing.TB, addr string) *client {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	return &client{conn, bufio.NewReader(conn)}
}

// says sends lines, and returns as many lines of what comes back.
func (c *client) says(t testing.TB, text string, lines int) string {
	t.Helper()
	_, err := io.WriteString(c, text)
	must(t, err)
	var got strings.Builder
	for range lines {
		must(t, c.SetReadDeadline(time.Now().Add(10*time.Second)))
		line, err := c.in.ReadString('\n')
		if err != nil {
			t.Fatalf("after %q: %v", got.String(), err)
		}
		got.WriteString(line)
	}
	return got.String()
}

func idle(p *Proxy) {
	for !p.Idle() {
		<-time.After(time.Millisecond)
	}
}

// told is what the recorder knows, in short.
func told(p *Proxy) (lines []string) {
	idle(p)
	trace, _, _ := p.Recorder().Trace()
	for _, s := range trace.Steps {
		line := s.Choice.Target
		switch q := s.Request.(type) {
		case engine.Exec:
			line += ": " + strings.Join(q.Op.Args, " ")
			if q.Op.Script != nil {
				line += " in a script"
			}
		case engine.Subscribe:
			line += ": subscribe " + q.Channel
		}
		if s.Reply != nil {
			line += " → " + s.Reply.String()
		}
		for _, n := range s.Notes {
			line += fmt.Sprintf(", %s %s", n.Actor, n.Kind)
		}
		for _, b := range s.Broken {
			line += "! " + b.String()
		}
		for _, d := range s.Delivered {
			line += fmt.Sprintf(", %s hears %s", d.Process, d.Payload)
		}
		lines = append(lines, line)
	}
	return lines
}

func expect(t *testing.T, p *Proxy, want ...string) {
	t.Helper()
	if got := told(p); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What clients and servers say to each other is passed on as it is, whatever it is, and followed as far as it can be.
func TestBytesArePassedOn(t *testing.T) {
	addr := server(t)
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	direct, passed := connect(t, server(t)), connect(t, through)
	for _, said := range []struct {
		text  string
		lines int
	}{
		{"CLIENT SETNAME a\r\nSET k v\r\nGET k\r\nBOGUS\r\n", 5},
		{"MULTI\r\nINCR n\r\nEXEC\r\n", 4},
		{"MULTI\r\nNOSUCH\r\nEXEC\r\nDISCARD\r\n", 4},
		{"CLIENT REPLY SKIP\r\nSET quiet 1\r\nGET quiet\r\n", 2},
		{"CLIENT REPLY OFF\r\nSET quiet 2\r\nGET quiet\r\nCLIENT REPLY ON\r\nGET quiet\r\n", 3},
		{"SUBSCRIBE c d\r\n", 12},
		{"PUBLISH c x\r\n", 1},
		{"UNSUBSCRIBE c\r\n", 6},
		{"UNSUBSCRIBE\r\n", 6},
		{"UNSUBSCRIBE\r\n", 5},
		{"HELLO 3 SETNAME b\r\n", 26},
		{"SUBSCRIBE c\r\nPUBLISH c hi\r\nGET k\r\n", 16},
		{"HGETALL none\r\nCONFIG GET maxmemory\r\nEVAL \"return {1,{2,'x'}}\" 0\r\n", 12},
		{"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n", 3},
		{"CLIENT TRACKING ON\r\nGET k\r\nSET k w\r\n", 10},
		{"RESET\r\nGET k\r\n", 3},
		{"MONITOR\r\n", 1},
	} {
		want, got := direct.says(t, said.text, said.lines), passed.says(t, said.text, said.lines)
		if !strings.HasPrefix(said.text, "HELLO") && got != want {
			t.Errorf("%q is answered %q, not %q", said.text, got, want)
		}
		idle(p)
	}
	if n := p.blind.Load(); n != 1 || p.queue.dropped.Load() > 0 {
		t.Errorf("%d connections are not followed, %d commands dropped", n, p.queue.dropped.Load())
	}
	var all []string
	for _, line := range told(p) {
		if !strings.HasPrefix(line, "unseen") {
			all = append(all, line)
		}
	}
	for _, has := range []string{`a: GET k → "v"`, `a: BOGUS → (error) ERR unknown command 'BOGUS', with args beginning with: `, "a: subscribe c d", "b: PUBLISH c hi → 1, b hears hi"} {
		if !strings.Contains(strings.Join(all, "\n"), has) {
			t.Errorf("there is no %q in\n%s", has, strings.Join(all, "\n"))
		}
	}
}

// A lock that is older than the proxy, and what others do past it, are read from the keys.
func TestWhatWasNotSeenIsRead(t *testing.T) {
	addr := server(t)
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	past, a := connect(t, addr), connect(t, through)
	past.says(t, "SET old mine PX 100000\r\nHSET h f v\r\nSET big "+strings.Repeat("x", 10_000)+"\r\n", 3)
	a.says(t, "CLIENT SETNAME a\r\nSET old other NX PX 1000\r\n", 2)
	a.says(t, "HSET h g w\r\nAPPEND big y\r\n", 2)
	until(p, "unseen: HSET h f v g w → 1") // it was there before
	a.says(t, "SET lock token NX PX 100000\r\n", 1)
	idle(p)
	past.says(t, "DEL lock\r\n", 1)
	until(p, "unseen: DEL lock → 1, a leave")
	got := strings.Join(told(p), "\n")
	want := `unseen: SET old mine PX \d+ NX → OK, unseen enter
a: SET old other NX PX 1000 → nil, a want, a refused
a: HSET h g w → 1
a: APPEND big y → 10001
unseen: HSET h f v g w → 1
a: SET lock token NX PX 100000 → OK, a enter
unseen: DEL lock → 1, a leave`
	if !regexp.MustCompile("^" + want + "$").MatchString(got) {
		t.Errorf("it is\n%s\nnot\n%s", got, want)
	}
	_, _, claims := p.Recorder().Trace()
	if now := claims[len(claims)-1]; len(now) != 2 || now[0].Lock != "old" || !now[0].Found || now[1].Found {
		t.Errorf("the claims are %v", now)
	}
	if held := claims[len(claims)-2]; len(held) != 3 || held[0].Lock != "lock" || held[0].Found {
		t.Errorf("the claims were %v", held)
	}
}

// A script that the Redis has had for longer is counted, until somebody sends it.
func TestUnknownScriptsAreCounted(t *testing.T) {
	addr := server(t)
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	past, a := connect(t, addr), connect(t, through)
	past.says(t, "SCRIPT LOAD \"return 1\"\r\n", 2)
	for _, tt := range []struct {
		says    string
		lines   int
		unknown int
	}{
		{"EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0\r\n", 1, 1},
		{"EVALSHA 0000000000000000000000000000000000000000 0\r\n", 1, 1}, // NOSCRIPT
		{"SCRIPT LOAD \"return 1\"\r\n", 2, 0},
	} {
		a.says(t, tt.says, tt.lines)
		idle(p)
		if n := p.Recorder().UnknownScripts(); n != tt.unknown {
			t.Errorf("after %q %d scripts are unknown", tt.says, n)
		}
	}
}

// until waits until a step is the last one.
func until(p *Proxy, line string) {
	for {
		if all := told(p); len(all) > 0 && all[len(all)-1] == line {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
}

// A user who may not read values is followed all the same, and the page says what is missing.
func TestAUserWhoMayNotRead(t *testing.T) {
	addr := server(t)
	past := connect(t, addr)
	past.says(t, "ACL SETUSER app on >secret ~* &* +@all\r\nACL SETUSER watcher on >other -@all\r\nSET old mine\r\nACL SETUSER default off\r\n", 4)
	to, err := Parse("redis://watcher:other@" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	a := connect(t, through)
	a.says(t, "AUTH app secret\r\nCLIENT SETNAME a\r\nSET old other NX\r\nSET lock token NX PX 100000\r\nDEL lock\r\n", 5)
	expect(
		t, p, "a: SET old other NX → nil", "a: SET lock token NX PX 100000 → OK, a enter", "a: DEL lock → 1, a leave",
	)
	all := p.Told()
	if len(all) != 1 || !strings.Contains(all[0].Error(), "NOPERM") {
		t.Errorf("told is %v", all)
	}
	for _, line := range told(p) {
		if strings.Contains(line, "secret") {
			t.Errorf("a password is shown: %s", line)
		}
	}
}

// A client of a server that goes, or of a proxy that goes, has a closed connection. New ones find the server again, and what
// it lost is no longer shown.
func TestWhoGoesClosesConnections(t *testing.T) {
	addr, port := freePort(t)
	start := func() func() {
		cmd := exec.Command(conversations.RedisServer(t), "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
		must(t, cmd.Start())
		for {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
			if err == nil {
				conn.Close()
				return func() {
					_ = cmd.Process.Kill()
					_ = cmd.Wait()
				}
			}
			<-time.After(time.Millisecond)
		}
	}
	stop := start()
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, end := between(t, to)
	a := connect(t, through)
	a.says(t, "CLIENT SETNAME a\r\nSET stock 7\r\n", 2)
	until(p, "a: SET stock 7 → OK")
	stop()
	if _, err := a.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("when the server has gone: %v", err)
	}
	if _, err := connect(t, through).in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("while there is none: %v", err)
	}
	for all := p.Told(); len(all) == 0 || !strings.Contains(all[0].Error(), "the Redis does not answer"); all = p.Told() {
		<-time.After(10 * time.Millisecond)
	}
	defer start()()
	until(p, "unseen: DEL stock → 1")
	if all := p.Told(); len(all) > 0 {
		t.Errorf("when it is back, told is %v", all)
	}
	b := connect(t, through)
	b.says(t, "PING\r\n", 1)
	end()
	if _, err := b.in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("when the proxy has gone: %v", err)
	}
	if connect(t, addr).says(t, "PING\r\n", 1) != "+PONG\r\n" {
		t.Error("the server has gone as well")
	}
}

// Large values are passed on and not kept, and a client that does not read takes no memory.
func TestMemoryIsBounded(t *testing.T) {
	addr := server(t)
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	a := connect(t, through)
	before := heap()
	const size, times = 32 << 20, 6
	value := bytes.Repeat([]byte("x"), size)
	for i := range times {
		fmt.Fprintf(a, "*3\r\n$3\r\nSET\r\n$4\r\nbig%d\r\n$%d\r\n", i, size)
		_, err := a.Write(value)
		must(t, err)
		a.says(t, "\r\n", 1)
	}
	lazy := connect(t, through)
	for i := range times {
		_, err := fmt.Fprintf(lazy, "GET big%d\r\n", i)
		must(t, err)
	}
	many := connect(t, through)
	for range 200 {
		_, err := io.WriteString(many, strings.Repeat("GET small\r\n", 1000))
		must(t, err)
	}
	if b := connect(t, through); b.says(t, "GET none\r\n", 1) != "$-1\r\n" {
		t.Error("others are not answered")
	}
	if grown := heap() - before; grown > mostHeld+(24<<20) {
		t.Errorf("it has grown by %d MB", grown>>20)
	}
	if n := p.queue.bytes.Load(); n > mostHeld {
		t.Errorf("%d bytes are kept", n)
	}
}

// heap is how many bytes are in use, without what waits to be collected: others go on meanwhile.
func heap() int64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// What nobody can keep up with is passed on, dropped, and counted; afterwards the page is right again.
func TestWhatIsTooMuchIsDropped(t *testing.T) {
	addr := server(t)
	to, err := Parse("redis://" + addr)
	must(t, err)
	p, through, _ := between(t, to)
	a := connect(t, through)
	a.says(t, "CLIENT SETNAME a\r\nSET lock token NX PX 100000\r\n", 2)
	idle(p)
	p.queue.bytes.Add(mostHeld) // as if so much were waiting
	a.says(t, "DEL lock\r\n", 1)
	for p.queue.dropped.Load() == 0 { // what came back is sent on before it is looked at
		<-time.After(time.Millisecond)
	}
	p.queue.bytes.Add(-mostHeld)
	a.says(t, "SET lock second NX PX 100000\r\n", 1)
	for {
		lines := told(p)
		if last := lines[len(lines)-1]; strings.HasPrefix(last, "unseen") || strings.HasSuffix(last, "a enter") && len(lines) == 2 {
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	trace, _, _ := p.Recorder().Trace()
	now := trace.At(len(trace.Steps))
	if k, _ := now.Nodes[0].Key("lock"); k.Text != "second" || len(now.Held) != 1 || now.Held[0].Actors[0] != "a" {
		t.Errorf("the lock is %v, held by %v:\n%s", k, now.Held, strings.Join(told(p), "\n"))
	}
	for _, s := range trace.Steps {
		if len(s.Broken) > 0 {
			t.Errorf("somebody is blamed: %v", s.Broken)
		}
	}
	if all := p.Told(); len(all) != 1 || !strings.Contains(all[0].Error(), "1 commands were passed on without being shown") {
		t.Errorf("told is %v", all)
	}
}

// With TLS, as with rediss://.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	must(t, err)
	keyBytes, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	must(t, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(t, os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyBytes}), 0o600))
	addr, port := freePort(t)
	conversations.StartServer(
		t, conversations.RedisServer(t), "--tls-port", port, "--bind", "127.0.0.1", "--tls-cert-file", certFile, "--tls-key-file", keyFile,
		"--tls-ca-cert-file", certFile, "--tls-auth-clients", "no", "--requirepass", "secret",
	)
	to, err := Parse("rediss://:secret@" + addr)
	must(t, err)
	if err := to.Reach(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("an unknown certificate: %v", err)
	}
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	to.tls.RootCAs = x509.NewCertPool()
	to.tls.RootCAs.AddCert(cert)
	must(t, to.Reach(t.Context()))
	p, through, _ := between(t, to)
	a := connect(t, through)
	a.says(t, "AUTH secret\r\nCLIENT SETNAME a\r\nSET lock token NX PX 100000\r\nRPUSH l x\r\n", 4)
	expect(t, p, "a: SET lock token NX PX 100000 → OK, a enter", "a: RPUSH l x → 1")
}

func TestURLs(t *testing.T) {
	for text, want := range map[string]string{
		"redis://h":                   "h:6379   false",
		"redis://u:p@h:1/0":           "h:1 u p false",
		"rediss://:p%40@h":            "h:6379  p@ true",
		"http://h":                    "write redis://host:port, or rediss://host:port with TLS",
		"redis://":                    "write redis://host:port, or rediss://host:port with TLS",
		"redis://u:secret@h:port":     "this is no URL: write redis://host:port",
		"redis://h/3":                 "only keys of database 0 are shown, so there is no /3 to choose: clients choose theirs",
		"rediss://[::1]:7000?x=other": "[::1]:7000   true",
	} {
		to, err := Parse(text)
		got := fmt.Sprintf("%s %s %s %t", to.Addr, to.User, to.Password, to.tls != nil)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}
