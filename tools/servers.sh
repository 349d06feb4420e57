#!/usr/bin/env bash
# Installs what the tests need and this machine lacks: redis-server, MariaDB's server,
# ZooKeeper with a Java to run it, Chromium with a Chinese font and a C compiler (for the race detector) as Debian packages, and Valkey 8
# unpacked into .cache/valkey. Does nothing where all of it is there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

explain() {
    {
        echo "make servers: $1"
        echo "The tests need these programs on PATH:"
        echo "  redis-server 7.0 or newer   Debian: apt-get install redis-server"
        echo "  mariadbd 10.11              Debian 12: apt-get install mariadb-server-core"
        echo "  ZooKeeper 3.8, with java    Debian 12: apt-get install libzookeeper-java default-jre-headless"
        echo "  chromium-headless-shell     Debian: apt-get install chromium-headless-shell"
        echo "  a Chinese font              Debian: apt-get install fonts-wqy-zenhei"
        echo "  gcc, with libc headers      Debian: apt-get install gcc libc6-dev"
        echo "  valkey-server 8             Debian 12: packages valkey-server and valkey-tools of bookworm-backports"
        echo "Install what is missing and run make again."
    } >&2
    exit 1
}

has() { command -v "$1" >/dev/null; }

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif has sudo; then
        sudo "$@"
    else
        explain "cannot install packages: not root, and sudo is not installed."
    fi
}

missing=()
has redis-server || missing+=(redis-server)
# Only the program: the package mariadb-server would also start a service.
has mariadbd || [[ -x /usr/sbin/mariadbd ]] || missing+=(mariadb-server-core)
# Only the library: the package zookeeper adds a user and scripts, which private servers do not need.
[[ -e /usr/share/java/zookeeper.jar ]] || missing+=(libzookeeper-java)
has java || missing+=(default-jre-headless)
has chromium-headless-shell || missing+=(chromium-headless-shell)
# Without one the browser draws boxes, which are not as wide as what readers of Chinese see.
[[ -n $(fc-list :lang=zh 2>/dev/null) ]] || missing+=(fonts-wqy-zenhei)
has gcc || missing+=(gcc libc6-dev)

# Only make test-full starts it.
[[ ${SAMPLE:-} != all ]] || has haproxy || [[ -x /usr/sbin/haproxy ]] || missing+=(haproxy)
if [[ ${SAMPLE:-} == all || -n ${IMAGE:-} ]]; then # what makes images and tries them
    has buildah || missing+=(buildah)
    has mmdebstrap || missing+=(mmdebstrap)
    has bwrap || missing+=(bubblewrap)
fi

if [[ ${#missing[@]} -gt 0 ]]; then
    has apt-get || explain "this machine lacks ${missing[*]} and has no apt-get."
    echo "make servers: installing ${missing[*]}"
    as_root apt-get update -qq || explain "apt-get update failed."
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" ||
        explain "apt-get could not install ${missing[*]}."
fi

if ! has valkey-server && [[ ! -x .cache/valkey/usr/bin/valkey-server ]]; then
    has apt-get || explain "this machine lacks valkey-server and has no apt-get."
    tools/valkey.sh || explain "could not fetch valkey-server."
fi
