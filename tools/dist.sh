#!/usr/bin/env bash
# Makes the archives of a release in dist/: of the tag at this commit, or else of a version that comes after the last one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What makes them, at versions that this Go can compile.
goreleaser=github.com/goreleaser/goreleaser/v2@v2.16.0
sbom=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

mkdir -p .cache/bin
GOBIN=$PWD/.cache/bin go install "$sbom"
PATH=$PWD/.cache/bin:$PATH

of=--snapshot
if git describe --tags --exact-match >/dev/null 2>&1; then of=--skip=publish; fi
go run "$goreleaser" release --clean $of
(cd dist && sha256sum --check --quiet SHA256SUMS)
ls -l dist/*.tar.gz dist/*.zip
