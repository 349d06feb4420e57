#!/usr/bin/env bash
# Proves that `make run` works for a stranger: it clones what is committed, runs it
# with empty module, build and npm caches, and waits until the page answers. A machine
# that has built before hides what the build forgets to fetch.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=$(mktemp -d)
server=
tidy_up() {
    if [[ -n $server ]]; then
        kill -- "-$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$place"
}
trap tidy_up EXIT

git clone --quiet . "$place/lockstep"
mkdir "$place/home"

export HOME=$place/home GOMODCACHE=$place/modules GOCACHE=$place/build npm_config_cache=$place/npm
# Go keeps modules read-only, and they have to be removed again.
export GOFLAGS=-modcacherw

port=$((20000 + RANDOM % 10000))
set -m # a process group of its own, so that the server ends with its make
make -C "$place/lockstep" run "ADDR=127.0.0.1:$port" >"$place/log" 2>&1 &
server=$!
set +m

# A minimal machine may have no curl.
page() {
    exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf 'GET /en/ HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$port" >&3
    cat <&3
    exec 3>&-
} 2>/dev/null

# Ten minutes: most of it is what the network takes.
for _ in $(seq 600); do
    if page | grep --quiet '<h1'; then
        echo "fresh: make run answers in a new clone with empty caches"
        exit 0
    fi
    if ! kill -0 "$server" 2>/dev/null; then
        echo "fresh: make run ended in a new clone with empty caches:" >&2
        tail -n 30 "$place/log" >&2
        exit 1
    fi
    sleep 1
done
echo "fresh: no page after ten minutes:" >&2
tail -n 30 "$place/log" >&2
exit 1
