#!/usr/bin/env bash
# Fails when a committed file that a program makes is not what that program makes now.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    echo "check-generated: $1" >&2
    exit 1
}

fingerprint() {
    find web -name '*_templ.go' -exec sha256sum {} + | sort -k 2
    sha256sum static/types/protocol.d.ts
}

while read -r made; do
    source=${made%_templ.go}.templ
    [[ -e $source ]] || fail "$made has no $source any more: remove it"
done < <(find web -name '*_templ.go')

before=$(fingerprint)
tools/generate.sh
diff <(echo "$before") <(fingerprint) ||
    fail "templ makes other files (above, by checksum): run make generate and commit them"

for module in . redistest/locks; do
    go -C "$module" mod tidy -diff || fail "go.mod or go.sum of $module is not tidy (above): run go mod tidy there and commit them"
done
