#!/usr/bin/env bash
# Makes the templ code and the client's types of messages. Go's test cache goes by the times
# of the files that a test opens, so what comes out the same keeps its time.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
mapfile -t made < <(find web -name '*_templ.go'; echo static/types/protocol.d.ts)
cp --parents -p "${made[@]}" "$before"
go tool -modfile=tools/go.mod templ generate -log-level warn -path web
go run -C tools ./protocol ..
for file in "${made[@]}"; do
    if cmp --silent "$before/$file" "$file"; then
        touch --reference "$before/$file" "$file"
    fi
done
