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

# Without release info: a fresh machine has no package lists yet.
# shellcheck disable=SC2016 # apt fills these in, not the shell
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE)' |
    awk -v codename="$codename" '($2 == codename || $2 == "stable") && !found { print $1; found = 1 }')
if [[ -z $mirror ]]; then
    echo "valkey: apt's sources name no Debian mirror for '$codename'" >&2
    exit 1
fi

apt=$PWD/.cache/apt
rm -rf "$apt"
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/packages"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
options=
if [[ -r $keyring ]]; then
    options="[signed-by=$keyring] "
fi
echo "deb $options$mirror $suite main" >"$apt/sources.list"

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

echo "valkey: fetching $suite"
apt-get --config-file "$apt/apt.conf" update -qq
(cd "$apt/packages" && apt-get --config-file "$apt/apt.conf" download -qq valkey-server valkey-tools)

rm -rf .cache/valkey.new .cache/valkey
for package in "$apt"/packages/*.deb; do
    dpkg -x "$package" .cache/valkey.new
done
# Fails here, with the loader's message, when a shared library is missing.
.cache/valkey.new/usr/bin/valkey-server --version
mv .cache/valkey.new .cache/valkey
rm -rf "$apt"
