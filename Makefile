# Each target's ## text is what `make help` prints.

.DEFAULT_GOAL := help
.NOTPARALLEL:

TOOL := go tool -modfile=tools/go.mod

# These must behave the same on any machine: one processor shows what leaned on luck.
DETERMINISTIC := ./engine/... ./luaexec ./luaexec/keyspace ./luaexec/client ./lessons/... ./web/player/...

# Valkey is unpacked, not installed: see tools/valkey.sh.
export PATH := $(PATH):$(CURDIR)/.cache/valkey/usr/bin

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Where make run serves: host:port.
ADDR ?= 127.0.0.1:8080

.PHONY: run
run: build ## Build everything and serve http://localhost:8080
	@command -v redis-server >/dev/null || command -v valkey-server >/dev/null || \
		echo "No redis-server here, so only the embedded engine runs: make servers adds the real one."
	bin/playground serve --addr $(ADDR)

.PHONY: build
build: generate wasm ## Build bin/playground
	go build -buildvcs=false -o bin/playground ./cmd/playground

# Give SITE_URL the address where it will be: it stands in the site map.
SITE_URL ?= /

.PHONY: site
site: build ## Write the playground as files into site/, for any host of files
	bin/playground export site --base-url $(SITE_URL)

.PHONY: test
test: servers lint check-generated race one-processor ## Run everything that must pass, the way CI does

.PHONY: fresh
fresh: ## Prove that make run works in a new clone, with nothing built or fetched before
	tools/fresh.sh

.PHONY: lint
lint: ## Check the Go code against .golangci.yml
	$(TOOL) golangci-lint run

.PHONY: fmt
fmt: ## Format Go and templ files
	$(TOOL) templ fmt web
	$(TOOL) golangci-lint fmt

.PHONY: generate
generate: bundle ## Make the templ code and the client's bundle
	$(TOOL) templ generate -log-level warn -path web

.PHONY: check-generated
check-generated: ## Make them again and fail when a committed file was out of date
	tools/check-generated.sh

.PHONY: race
race: bundle wasm ## Run all tests with the race detector, in random order
	go test -C tools ./...
	go test -race -shuffle=on -timeout 20m ./...

.PHONY: one-processor
one-processor: ## Run the deterministic packages' tests on one processor
	GOMAXPROCS=1 go test -shuffle=on $(DETERMINISTIC)

.PHONY: contract
contract: ## Run only the tests of the embedded and the real nodes
	go test -race -shuffle=on ./luaexec/...

.PHONY: browser
browser: bundle wasm ## Run only the page's tests, Chromium included
	go test -race -shuffle=on ./web/...

.PHONY: bench
bench: ## Run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

.PHONY: servers
servers: ## Install what the tests need: redis-server, Valkey 8, Chromium, gcc
	tools/servers.sh

.PHONY: clean
clean: ## Remove what was built or fetched
	rm -rf bin site .cache static/node_modules
	find static/dist -mindepth 1 ! -name .keep -delete

.PHONY: bundle
bundle: static/node_modules/.package-lock.json
	go run -C tools ./bundle ../static

.PHONY: wasm
wasm: ## Build the player that runs in browsers
	go run -C tools ./wasm ..

# npm writes this file at the end of an installation.
static/node_modules/.package-lock.json: static/package.json static/package-lock.json
	cd static && npm ci --ignore-scripts
	touch $@
