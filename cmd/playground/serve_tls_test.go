package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestServeSpeaksTLS(t *testing.T) {
	cert, key, known := certificate(t)
	ctx, interrupt := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		ended <- start(ctx, terminal{printed, &complaints}, []string{"serve", "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(strings.TrimPrefix(line, "Lockstep is at "))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS12}}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"en/lessons/eval/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if cookies := resp.Cookies(); resp.StatusCode != http.StatusOK || len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("%s: %s, cookies %v", url, resp.Status, cookies)
	}
	client.CloseIdleConnections()
	interrupt()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d: %s", code, complaints.String())
	}
}

// certificate makes a certificate for this machine: its files, and who knows it.
func certificate(t *testing.T) (certFile, keyFile string, known *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, kind string, bytes []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known = x509.NewCertPool()
	parsed, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	known.AddCert(parsed)
	return file("cert.pem", "CERTIFICATE", cert), file("key.pem", "PRIVATE KEY", private), known
}
