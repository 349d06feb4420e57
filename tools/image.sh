#!/usr/bin/env bash
# Makes two images of a container in dist/, as archives that podman and docker load: playground.oci.tar has the program alone,
# playground-servers.oci.tar the real servers of Debian, too. Neither needs a daemon, nor to be root inside. The packages come from
# where this machine's apt gets its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

servers=redis-server,mariadb-server-core,libzookeeper-java,default-jre-headless
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
user=65532:65532 # nobody else's

work=$(mktemp -d)
container=
trap 'rm -rf "$work"; [[ -z $container ]] || buildah rm "$container" >/dev/null' EXIT
mkdir -p dist
CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o "$work/playground" ./cmd/playground

# image NAME makes dist/NAME.oci.tar of what is in $work/root.
image() {
    install -D -m 755 "$work/playground" "$work/root/usr/local/bin/playground"
    install -d -m 1777 "$work/root/tmp"
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$work/root" / >/dev/null
    buildah config --user $user --port 8080 --env PATH=/usr/local/bin:/usr/sbin:/usr/bin --stop-signal SIGTERM \
        --entrypoint '["/usr/local/bin/playground"]' --cmd 'serve --addr 0.0.0.0:8080' "$container"
    rm -f "dist/$1.oci.tar"
    buildah commit --quiet "$container" "oci-archive:dist/$1.oci.tar:$1" >/dev/null
    buildah rm "$container" >/dev/null
    container=
    ls -l "dist/$1.oci.tar"
}

image playground

sources=/etc/apt/sources.list
[[ -s $sources ]] || sources=/etc/apt/sources.list.d/debian.sources
mmdebstrap --quiet --variant=essential --include=$servers \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root.tar" "$sources"
rm -rf "$work/root" && mkdir "$work/root"
tar -xf "$work/root.tar" -C "$work/root" --exclude='./dev/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' --exclude='./usr/share/doc/*' && rm "$work/root.tar"
cp .cache/valkey/usr/bin/valkey-server "$work/root/usr/bin/"
image playground-servers
