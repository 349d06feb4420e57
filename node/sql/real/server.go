package real

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"lockstep/engine/fact"
	"lockstep/node/beside"
	"lockstep/node/process"
)

// processMemory is how many bytes of address space a process may have. It uses about 50 MB.
const processMemory = 2 << 30

// Server starts a MariaDB for each node.
type Server struct{ beside.Owner }

// StartPrivate finds out whether the program, or for "" the installed MariaDB, can serve nodes.
func StartPrivate(ctx context.Context, binary string) (*Server, error) {
	binary = cmp.Or(binary, Installed())
	owner, err := beside.Own(ctx, cmp.Or(binary, "mariadbd"), process.Program{
		Path: binary, Args: arguments, Ready: "ready for connections", OutOfMemory: []string{"Out of memory"}, Memory: processMemory,
	}, install, version)
	return &Server{owner}, err
}

var install = beside.Package{Program: "mariadbd", Name: "MariaDB 10.11", Debian: "mariadb-server-core"}

// version asks the server of a folder for its own, which must be the one whose locks are known.
func version(ctx context.Context, folder string) (string, error) {
	c, err := connect(ctx, socket(folder), "", answerLimit)
	if err != nil {
		return "", err
	}
	defer c.close()
	text, err := c.text("SELECT VERSION()")
	number, _, _ := strings.Cut(text, "-MariaDB")
	if err == nil && !strings.HasPrefix(number, "10.11.") {
		err = fact.Of("unsupported-version", "mariadb "+number, install.Name, install.Debian)
	}
	return "mariadb " + number, err
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

func socket(folder string) string { return filepath.Join(folder, "mariadb.sock") }

// arguments are for a server that makes its data anew, keeps nothing and does nothing by
// itself. It has no table of users, and is reached by whoever may enter its folder: of all
// files, statements reach those that are in there.
func arguments(folder string) []string {
	args := []string{
		"--no-defaults", "--datadir=" + folder, "--socket=" + socket(folder), "--skip-networking", "--skip-grant-tables", "--secure-file-priv=" + folder,
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
