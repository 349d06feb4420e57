package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"
)

// Upstream is the Redis that clients are passed on to. User and password are of the connection that reads:
// clients say their own.
type Upstream struct {
	Addr     string
	User     string
	Password string

	tls *tls.Config // nil: without
}

// Parse takes a URL, redis://user:password@host:port or rediss:// with TLS.
func Parse(text string) (to Upstream, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return to, errors.New("this is no URL: write redis://host:port") // what it says of it could have the password
	case u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "":
		return to, errors.New("write redis://host:port, or rediss://host:port with TLS")
	case u.Path != "" && u.Path != "/" && u.Path != "/0":
		return to, fmt.Errorf("only keys of database 0 are shown, so there is no %s to choose: clients choose theirs", u.Path)
	}
	if to.Addr = u.Host; u.Port() == "" {
		to.Addr = net.JoinHostPort(u.Hostname(), "6379")
	}
	to.User = u.User.Username()
	to.Password, _ = u.User.Password()
	if u.Scheme == "rediss" {
		to.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	return to, nil
}

// at is another node of the same cluster.
func (u Upstream) at(addr string) Upstream {
	u.Addr = addr
	if u.tls != nil {
		u.tls = u.tls.Clone()
		u.tls.ServerName, _, _ = net.SplitHostPort(addr)
	}
	return u
}

// reachable is for how long a Redis may take until it accepts a connection.
const reachable = 5 * time.Second

func (u Upstream) dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, reachable)
	defer cancel()
	if u.tls != nil {
		return (&tls.Dialer{Config: u.tls}).DialContext(ctx, "tcp", u.Addr)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", u.Addr)
}

// Reach tells whether it can be reached.
func (u Upstream) Reach(ctx context.Context) error {
	conn, err := u.dial(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}
