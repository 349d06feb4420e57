package main

import (
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lockstep/web"
)

// operateFlags are what an operator tells serve: who comes, through what, how many, and how it ends.
type operateFlags struct {
	hosts    []string
	proxies  []netip.Prefix
	basePath string
	places   int
	drain    time.Duration
	log      string
	tlsCert  string
	tlsKey   string
}

func (f *operateFlags) define(flags *flag.FlagSet) {
	flags.Func("host", "host `NAME` to accept, besides localhost and the server's addresses; can be repeated", f.addHost)
	flags.Func("trusted-proxy", "`CIDR` of proxies whose X-Forwarded-For, X-Forwarded-Proto and PROXY protocol are believed; can be repeated", f.addProxy)
	flags.StringVar(&f.basePath, "base-path", "/", "`PATH` of the playground on its host, as /lockstep/")
	f.places = web.MaxSessions
	flags.Func("places", fmt.Sprintf("`NUMBER` of learners who have a session here at a time; each takes 3 MB of memory at most (default %d)", web.MaxSessions), f.setPlaces)
	flags.Func("drain", "at SIGTERM, `TIME` in which learners go to another server, as 30s; a second signal ends at once", f.setDrain)
	flags.StringVar(&f.log, "log", "text", "`FORMAT` of the log on standard error: text or json")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "`FILE` with the certificate, and those that lead to it, in PEM: speak TLS")
	flags.StringVar(&f.tlsKey, "tls-key", "", "`FILE` with the certificate's key, in PEM")
}

func (f *operateFlags) check() error {
	if _, err := folderOf(f.basePath); err != nil {
		return usage("--base-path %s: %v", f.basePath, err)
	}
	if f.log != "text" && f.log != "json" {
		return usage("--log %s: write text or json", f.log)
	}
	return nil
}

var domain = regexp.MustCompile(`^(?i)[a-z0-9_]([a-z0-9_.-]{0,252})$`)

// addHost takes a name as the address bar of a browser has it.
func (f *operateFlags) addHost(name string) error {
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err != nil && !domain.MatchString(name) {
		return errors.New("write a name alone, as in play.example.org, without http:// and without a port")
	}
	f.hosts = append(f.hosts, name)
	return nil
}

func (f *operateFlags) addProxy(text string) error {
	network, err := netip.ParsePrefix(text)
	if addr, one := netip.ParseAddr(text); one == nil {
		network, err = addr.Prefix(addr.BitLen())
	}
	if err != nil {
		return errors.New("write a network as 10.1.0.0/16, or one address")
	}
	f.proxies = append(f.proxies, network.Masked())
	return nil
}

var pathOfSite = regexp.MustCompile(`^/([A-Za-z0-9_~.-]+/)*$`)

// folderOf is a path with a slash at its end.
func folderOf(path string) (string, error) {
	if !strings.HasSuffix(path, "/") {
		path += "/"
	}
	if !pathOfSite.MatchString(path) || strings.Contains(path, "/.") {
		return "", errors.New("write a path as browsers have it, for example /lockstep/")
	}
	return path, nil
}

// mostPlaces take more memory than a machine has.
const mostPlaces = 1_000_000

func (f *operateFlags) setPlaces(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPlaces {
		return fmt.Errorf("write how many learners may come, for example %d", web.MaxSessions)
	}
	f.places = n
	return nil
}

func (f *operateFlags) setDrain(text string) error {
	span, err := time.ParseDuration(text)
	if err != nil || span < 0 {
		return errors.New("write a time as 30s")
	}
	f.drain = span
	return nil
}

// encryption is the certificate to speak TLS with; nil: none.
func (f *operateFlags) encryption() (*tls.Config, error) {
	if f.tlsCert == "" && f.tlsKey == "" {
		return nil, nil
	}
	if f.tlsCert == "" || f.tlsKey == "" {
		return nil, usage("--tls-cert and --tls-key are of use together only")
	}
	pair, err := tls.LoadX509KeyPair(f.tlsCert, f.tlsKey)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s, --tls-key %s: %w; write files in PEM, and a key that is not encrypted", f.tlsCert, f.tlsKey, err)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}
