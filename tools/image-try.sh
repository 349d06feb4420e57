#!/usr/bin/env bash
# Starts what is in dist/*.oci.tar as an image should be run: as a user without rights, on a root that cannot be written, with a /tmp
# in memory. Each must serve the page; the one with servers must play lessons on all of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; chmod -R u+w "$work"; rm -rf "$work"' EXIT

# unpack NAME puts the only layer of an archive into $work/NAME.
unpack() {
    mkdir "$work/$1" "$work/$1.oci"
    tar -xf "dist/$1.oci.tar" -C "$work/$1.oci"
    for blob in "$work/$1.oci"/blobs/sha256/*; do
        tar -xzf "$blob" -C "$work/$1" 2>/dev/null || tar -xf "$blob" -C "$work/$1" 2>/dev/null || true
    done
}

# inside NAME … runs a command in an image.
inside() {
    local root=$work/$1
    shift
    mkdir -p "$root/proc" "$root/dev" "$root/tmp"
    bwrap --unshare-user --unshare-pid --die-with-parent --uid 65532 --gid 65532 --ro-bind "$root" / --proc /proc --dev /dev --tmpfs /tmp \
        --clearenv --setenv PATH /usr/local/bin:/usr/sbin:/usr/bin -- "$@"
}

port=18431
for name in playground playground-servers; do
    unpack $name
    inside $name /usr/local/bin/playground version
    inside $name /usr/local/bin/playground serve --addr 127.0.0.1:$port &
    curl --silent --show-error --fail --retry 50 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/healthz" >/dev/null
    kill %%
    wait %% || true
    port=$((port + 1))
done
inside playground-servers /usr/local/bin/playground check --engine all set-nx sql-deadlock zk-herd
