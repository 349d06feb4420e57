#!/usr/bin/env bash
# Makes the archives of this commit again, in another folder and with nothing compiled before, and fails where a byte differs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

make dist
again=$(mktemp -d)
trap 'chmod -R u+w "$again" && rm -rf "$again"' EXIT
git clone --quiet . "$again/elsewhere"
mkdir "$again/elsewhere/.cache"
cp -r .cache/dist "$again/elsewhere/.cache" # the programs that make them, which are no part of them
GOCACHE=$again/cache make -C "$again/elsewhere" dist
diff dist/SHA256SUMS "$again/elsewhere/dist/SHA256SUMS"
echo "The same, byte for byte."
