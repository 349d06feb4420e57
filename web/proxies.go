package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pires/go-proxyproto"
)

// proxies are the networks of proxies before this server. What they say about a visitor is
// believed; anybody else could name any address, and so take the places of others.
type proxies []netip.Prefix

// TrustProxies lets proxies in these networks say where a visitor comes from. It is for servers that do not
// serve yet.
func (s *Server) TrustProxies(networks []netip.Prefix) { s.proxies = networks }

func (p proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// visitorBehind is the address of the visitor whose request came from a peer: through proxies, the last one
// that is no trusted proxy. What stands further left the visitor may have made up.
func (p proxies) visitorBehind(peer netip.Addr, forwarded []string) netip.Addr {
	named := strings.Split(strings.Join(forwarded, ","), ",")
	for _, name := range slices.Backward(named) {
		if !p.trust(peer) {
			break
		}
		before, err := ipOf(strings.TrimSpace(name))
		if err != nil {
			break
		}
		peer = before
	}
	return peer
}

// ipOf is an address, with a port or without.
func ipOf(text string) (netip.Addr, error) {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return addr.Unmap().WithZone(""), err
}

// reveal gives requests the address of their visitor in place of the last proxy's. What it has followed, or what
// somebody says who is not trusted to say it, later readers do not see.
func (p proxies) reveal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := ipOf(r.RemoteAddr)
		trusted := err == nil && p.trust(peer)
		if trusted && r.Header.Get(forwardedFor) != "" {
			r = r.Clone(r.Context()) // handlers may not change a request
			r.RemoteAddr = net.JoinHostPort(p.visitorBehind(peer, r.Header.Values(forwardedFor)).String(), "0")
			r.Header.Del(forwardedFor)
		} else if !trusted && r.Header.Get(forwardedProto) != "" {
			r = r.Clone(r.Context())
			r.Header.Del(forwardedProto)
		}
		next.ServeHTTP(w, r)
	})
}

const (
	forwardedFor   = "X-Forwarded-For"
	forwardedProto = "X-Forwarded-Proto"
)

// encrypted tells whether the visitor's browser speaks TLS, to this server or to a proxy before it.
func encrypted(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get(forwardedProto), "https")
}

// headerLimit bounds the time in which a trusted proxy begins a connection with its header.
const headerLimit = 5 * time.Second

// listen makes connections of trusted proxies begin with a header of the PROXY protocol, if they send one.
func (p proxies) listen(l net.Listener) net.Listener {
	if len(p) == 0 {
		return l
	}
	return &proxyproto.Listener{Listener: l, ReadHeaderTimeout: headerLimit, ConnPolicy: func(o proxyproto.ConnPolicyOptions) (proxyproto.Policy, error) {
		if peer, err := ipOf(o.Upstream.String()); err != nil || !p.trust(peer) {
			return proxyproto.SKIP, nil
		}
		return proxyproto.USE, nil
	}}
}
