#!/usr/bin/env bash
# Runs every package's tests once, in random order: those of the packages that are
# named with the race detector, which costs a lot, and the others on one processor, which
# shows what leans on luck. Then it tells how long each package took. The linter has
# vetted the code already.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

concurrent=("$@")
mapfile -t others < <(go list ./... | sed 's|^lockstep|.|' | grep --invert-match --line-regexp --fixed-strings "$(printf '%s\n' "${concurrent[@]}")")

# They start the command two hundred times, and a start takes the detector a second.
scripts='^TestScripts$'

failed=
run() {
    go test -vet=off -shuffle=on -timeout 30m "$@" 2>&1 | tee -a "$log" || failed=yes
}
run -race -skip "$scripts" "${concurrent[@]}"
run -run "$scripts" ./cmd/playground
run -cpu 1 -parallel 4 "${others[@]}"

echo
echo "Seconds by package, slowest first:"
# A line of go test is: ok  	lockstep/engine	0.123s
awk '($1 == "ok" || $1 == "FAIL") && $3 ~ /s$/ { printf "%8.1f  %s%s\n", $3, $2, $1 == "ok" ? "" : "  FAILED" }' "$log" | sort --reverse --numeric-sort
[[ -z $failed ]]
