package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/web/ui"
)

// hosts are the names by which the server may be called, besides its addresses. This stops
// DNS rebinding: a page of another site that makes its own name point to this machine could
// otherwise do everything that the playground's pages can.
type hosts []string

// knows tells whether a request is for this server: by a name of the machine itself, by
// the address that it came to, or by a name that the server was given.
func (h hosts) knows(r *http.Request) bool {
	name := hostname(r.Host)
	if name == "localhost" || name != "" && slices.ContainsFunc(h, func(known string) bool { return hostname(known) == name }) {
		return true
	}
	ip, err := ipOf(name)
	return err == nil && (ip.IsLoopback() || ip == cameTo(r))
}

// hostname is a host without its port, in the form in which names are compared.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// cameTo is the address of this machine that a request came to.
func cameTo(r *http.Request) netip.Addr {
	at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.Addr{}
	}
	addr, _ := ipOf(at.String()) // what is none, as of a socket in a file, is no name's address either
	return addr
}

// refuseHost answers a request for another server. Its files would be refused too, so
// this is not a page but text.
func refuseHost(w http.ResponseWriter, r *http.Request) {
	name := []rune(hostname(r.Host))
	http.Error(w, ui.Tell(languageOf(r), fact.Of("other-host", string(name[:min(len(name), 80)]))), http.StatusForbidden)
}
