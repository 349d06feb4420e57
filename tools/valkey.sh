#!/usr/bin/env bash
# Unpacks Valkey into .cache/valkey without installing it: Debian 12 has it in
# backports, newer releases in main. It asks the mirror that the machine itself
# uses, through an apt configuration of its own, so that neither the machine's
# sources nor its package lists change.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=/dev/null
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
suite=$codename
if [[ $codename == bookworm ]]; then
    suite=bookworm-backports
fi

apt=$PWD/.cache/apt
unpacked=.cache/valkey.new
trap 'rm -rf "$apt" "$unpacked"' EXIT
rm -rf "$apt" "$unpacked"
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/packages"

cat >"$apt/apt.conf" <<CONF
Dir::State "$apt/state";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "$apt/parts";
Acquire::Languages "none";
APT::Sandbox::User "$(id -un)";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF

# The repositories of this release, Debian's own and others' alike. Without
# release info, since a fresh machine has no package lists yet.
repositories() {
    # shellcheck disable=SC2016 # apt fills these in, not the shell
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' |
        awk -v codename="$codename" '($2 == codename || $2 == "stable") && $3 == "main" { print $1 }' |
        sort -u
}

download() {
    local options=""
    if [[ -r /usr/share/keyrings/debian-archive-keyring.gpg ]]; then
        options="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    fi
    echo "deb $options $1 $suite main" >"$apt/sources.list"
    apt-get --config-file "$apt/apt.conf" update -qq &&
        (cd "$apt/packages" && apt-get --config-file "$apt/apt.conf" download -qq valkey-server valkey-tools)
}

echo "valkey: fetching it from $suite"
found=
for repository in $(repositories); do
    if download "$repository"; then
        found=yes
        break
    fi
done
if [[ -z $found ]]; then
    echo "valkey: no repository in apt's sources has valkey-server in $suite" >&2
    exit 1
fi

for package in "$apt"/packages/*.deb; do
    dpkg -x "$package" "$unpacked"
done
# Fails here, with the loader's message, when a shared library is missing.
"$unpacked/usr/bin/valkey-server" --version
rm -rf .cache/valkey
mv "$unpacked" .cache/valkey
