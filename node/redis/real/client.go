package real

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

var quiet = sync.OnceFunc(logging.Disable)

// newClient makes a client that tries each thing once: a repeated transaction
// would be a second step.
func newClient(opts redis.Options) *redis.Client {
	quiet() // what goes wrong is told by errors, not on stderr
	opts.Protocol = 2
	opts.MaxRetries = -1
	opts.DialerRetries = 1
	opts.DialTimeout = dialLimit
	opts.ReadTimeout = answerLimit
	opts.WriteTimeout = dialLimit
	opts.ContextTimeoutEnabled = true
	opts.DisableIdentity = true
	opts.PipelinePoolSize = -1
	return redis.NewClient(&opts)
}

// newMetered makes a client for what may answer much.
func newMetered(opts redis.Options) *redis.Client {
	opts.DialTimeout = dialLimit
	meter(&opts)
	return newClient(opts)
}

// replyLimit is how many bytes a server may answer to what was sent at once: a
// step of a lesson takes a few thousand, a visitor's script can return any number.
const replyLimit = 4 << 20

var errTooBig = errors.New("the answer is too big")

// metered is a connection that reads no more than replyLimit after each write.
type metered struct {
	net.Conn
	left int
}

func (m *metered) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, errTooBig
	}
	n, err := m.Conn.Read(p[:min(len(p), m.left)])
	m.left -= n
	return n, err
}

func (m *metered) Write(p []byte) (int, error) {
	m.left = replyLimit
	return m.Conn.Write(p)
}

// meter makes all connections of a client metered ones.
func meter(opts *redis.Options) {
	dial := redis.NewDialer(opts)
	opts.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		m := &metered{Conn: conn, left: replyLimit}
		if open, ok := conn.(syscall.Conn); ok {
			// The client looks there whether a connection was closed meanwhile.
			return struct {
				*metered
				syscall.Conn
			}{m, open}, nil
		}
		return m, nil
	}
}
