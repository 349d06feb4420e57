package real

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"lockstep/engine/fact"
	"lockstep/node/process"
)

// Limits on what visitors can make a playground use.
const (
	maxProcesses  = 16      // at a time; each takes about 50 MB
	processMemory = 2 << 30 // bytes of address space that a process may have, of which it uses a fraction
)

// Server starts a MariaDB for each node.
type Server struct{ process.Owner }

// StartPrivate finds out whether the program, or for "" the installed MariaDB, can serve nodes.
func StartPrivate(ctx context.Context, binary string) (*Server, error) {
	s := &Server{process.Owner{Where: "mariadbd"}}
	if binary == "" {
		if binary = Installed(); binary == "" {
			return nil, s.Problem(fact.Of("no-mariadb-program"))
		}
	}
	s.Where = binary
	s.Pool = process.NewPool(process.Program{
		Path: binary, Args: arguments, Ready: "ready for connections",
		OutOfMemory: []string{"Out of memory"}, Memory: processMemory,
	}, maxProcesses)
	p, err := s.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Pool.End(p)
	c, problem := connect(ctx, socket(p.Folder), "", answerLimit)
	if problem != nil {
		return nil, s.Problem(fact.Of("not-connected", problem))
	}
	defer c.close()
	version, problem := c.text("SELECT VERSION()")
	if problem != nil {
		return nil, s.Problem(fact.Of("not-connected", problem))
	}
	number, _, _ := strings.Cut(version, "-MariaDB")
	s.Name = "mariadb " + number
	if !strings.HasPrefix(number, "10.11.") {
		return nil, s.Problem(fact.Of("other-mariadb", s.Name))
	}
	return s, nil
}

// programs are where a MariaDB may be: Debian installs it where not every user looks for
// programs.
var programs = []string{"mariadbd", "/usr/sbin/mariadbd"}

// Installed is the program of the MariaDB of this machine; empty: there is none.
func Installed() string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Node makes a node, which starts a server when it is used first.
func (s *Server) Node() *Node {
	n := new(Node)
	n.own = process.NewTenancy(&s.Owner, process.Hooks{Begin: n.begin, Clear: n.clear, HangUp: n.hangUp})
	return n
}

func socket(folder string) string { return filepath.Join(folder, "mariadb.sock") }

// arguments are for a server that makes its data anew, keeps nothing and does nothing by
// itself. It has no table of users, and is reached by whoever may enter its folder.
func arguments(folder string) []string {
	args := []string{
		"--no-defaults", "--datadir=" + folder, "--socket=" + socket(folder), "--skip-networking", "--skip-grant-tables",
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_nopad_bin",
		"--innodb-lock-wait-timeout=100000000", "--wait-timeout=31536000", "--interactive-timeout=31536000", "--max-connections=100",
		"--skip-log-bin", "--innodb-flush-method=nosync", "--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--sync-frm=0",
		"--innodb-buffer-pool-size=6M", "--innodb-buffer-pool-size-max=8M", "--innodb-log-file-size=4M", "--innodb-log-buffer-size=2M",
		"--innodb-data-file-path=ibdata1:5M:autoextend", "--innodb-temp-data-file-path=ibtmp1:1M:autoextend", "--innodb-autoextend-increment=1",
		"--innodb-purge-threads=1", "--innodb-read-io-threads=1", "--innodb-write-io-threads=2", "--innodb-use-native-aio=0",
		"--innodb-stats-persistent=0", "--innodb-buffer-pool-dump-at-shutdown=0", "--innodb-buffer-pool-load-at-startup=0",
		"--key-buffer-size=64K", "--aria-pagecache-buffer-size=128K", "--table-open-cache=64", "--thread-stack=256K",
		"--query-cache-type=0", "--query-cache-size=0", "--performance-schema=0", "--feedback=off", "--event-scheduler=disabled",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root") // or it refuses to run
	}
	return args
}
