package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestServeSaysWhereItIsAndEndsCleanly(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		ended <- start(ctx, terminal{printed, &complaints}, []string{"--addr", "127.0.0.1:0"}) // serve is the default
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "Lockstep is at "))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"en/lessons/eval", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d: %s", code, complaints.String())
	}
}

func TestServeSaysThatAPortIsTaken(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var out, complaints bytes.Buffer
	code := start(t.Context(), terminal{&out, &complaints}, []string{"serve", "--addr", taken.Addr().String()})
	if code != exitFailed || !strings.Contains(complaints.String(), "in use already") || out.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, out.String(), complaints.String())
	}
}
