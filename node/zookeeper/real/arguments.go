package real

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// prepare writes the configuration of a server that keeps its data in a folder and listens to
// this machine alone, writes to the disk without waiting for it, and ends no session by its
// own clock.
func prepare(ctx context.Context, data string) error {
	free, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(free.Addr().String()) // it has both
	_ = free.Close()
	config := fmt.Sprintf(`dataDir=%s
clientPortAddress=127.0.0.1
clientPort=%s
tickTime=%d
maxClientCnxns=0
admin.enableServer=false
jmx.log4j.disable=true
forceSync=no
preAllocSize=64
`, data, port, endless/longestInTicks)
	if err := os.WriteFile(filepath.Join(data, configFile), []byte(config), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, portFile), []byte(port), 0o600)
}

// longestInTicks is the longest timeout that a ZooKeeper grants a session.
const longestInTicks = 20

// The files of a server: its configuration, and its port alone.
const (
	configFile = "zoo.cfg"
	portFile   = "port"
)

// address is where the server of a folder takes requests.
func address(data string) (string, error) {
	port, err := os.ReadFile(filepath.Join(data, portFile))
	return "127.0.0.1:" + string(port), err
}

func arguments(data string) []string {
	const log = "-Dorg.slf4j.simpleLogger."
	return []string{
		"-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-Xss256k",
		"-XX:ReservedCodeCacheSize=16m", "-XX:CompressedClassSpaceSize=16m", "-XX:-UsePerfData", "-XX:+ExitOnOutOfMemoryError",
		"-Djava.io.tmpdir=" + data, "-XX:ErrorFile=" + filepath.Join(data, "hs_err"),
		log + "defaultLogLevel=warn", log + "log.org.apache.zookeeper.server.ContainerManager=info",
		"-cp", strings.Join([]string{filepath.Join(folder, "zookeeper.jar"), filepath.Join(folder, "slf4j-simple.jar")}, ":"),
		"org.apache.zookeeper.server.ZooKeeperServerMain", filepath.Join(data, configFile),
	}
}
