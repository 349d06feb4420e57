#!/usr/bin/env bash
# Makes the archives of a release in dist/: of the tag at this commit, or else of a version that comes after the last one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What makes them, at versions that this Go can compile. Compiling it takes longer than what it does.
goreleaser=v2.16.0
sbom=v1.10.0
makers=$PWD/.cache/dist/$goreleaser-$sbom
if [[ ! -e $makers/goreleaser ]]; then
    GOBIN=$makers go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$sbom
    GOBIN=$makers go install github.com/goreleaser/goreleaser/v2@$goreleaser
fi
PATH=$makers:$PATH

of=--snapshot
if git describe --tags --exact-match >/dev/null 2>&1; then of=--skip=publish; fi
goreleaser release --clean $of
(cd dist && sha256sum --check --quiet SHA256SUMS)
ls -l dist/*.tar.gz dist/*.zip
