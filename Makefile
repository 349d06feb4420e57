# Each target's ## text is what `make help` prints.

.DEFAULT_GOAL := help
.NOTPARALLEL:

TOOL := go tool -modfile=tools/go.mod

# The packages that start goroutines: the race detector watches their tests.
CONCURRENT := ./attach/proxy ./cmd/playground ./node/process ./node/redis/conversations ./node/redis/port ./node/redis/real ./node/sql/real ./redistest ./web ./web/class

# Which sample of the generated scripts is compared with real servers: each change of a package has
# another. SAMPLE=… takes that one. See node/sample.
COMMITS := $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
export COMMITS

# The folders of lessons that the last commit or the working tree changes: no sample leaves them out.
CHANGED_LESSONS := $(shell { git diff --name-only HEAD~1; git ls-files --others --exclude-standard; } 2>/dev/null | sed -n 's|^lessons/\([0-9][^/]*\)/.*|\1|p' | sort -u)
export CHANGED_LESSONS

# Collecting garbage takes a quarter of the time of the tests, the compiler and the linter, which
# end before it would matter.
lint test suite contract browser: export GOGC := 400

# Compiled packages name no folder, so what the linter has compiled the tests need not compile
# again, nor need another clone.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)

# Valkey is unpacked, not installed: see tools/valkey.sh.
export PATH := $(PATH):$(CURDIR)/.cache/valkey/usr/bin

# The module of tests of lock libraries, of which this one requires none.
LOCKS := redistest/locks

# Clients in JavaScript whose locks a test has recognised.
NODE_LOCKS := attach/testdata/node

.PHONY: help
help: ## Print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Where make run serves: host:port.
ADDR ?= 127.0.0.1:8080

.PHONY: run
run: build ## Build everything and serve http://localhost:8080
	@command -v redis-server >/dev/null || command -v valkey-server >/dev/null || \
		echo "No redis-server here, so only the embedded engine runs: make servers adds the real one."
	bin/playground serve --addr $(ADDR) || { echo 'Another address: make run ADDR=127.0.0.1:8081'; exit 1; }

.PHONY: build
build: generate wasm ## Build bin/playground
	go build -buildvcs=false -o bin/playground ./cmd/playground

.PHONY: dist
dist: generate wasm ## Make the archives of a release in dist/, for Linux, macOS and Windows, with checksums and lists of modules
	tools/dist.sh

.PHONY: dist-same
dist-same: ## Make them twice, and fail where a byte differs
	tools/dist-same.sh

.PHONY: image
image: export IMAGE := yes
image: generate wasm servers ## Make images of a container in dist/: the program alone, and with the servers of Debian
	tools/image.sh
	tools/image-try.sh

# Give SITE_URL the address where it will be: it stands in the site map.
SITE_URL ?= /

.PHONY: site
site: build ## Write the playground as files into site/, for any host of files
	bin/playground export site --base-url $(SITE_URL)

.PHONY: test
test: servers lint check-generated suite ## Run everything that must pass, the way CI does

.PHONY: fresh
fresh: ## Prove that make run works in a new clone, with nothing built or fetched before
	tools/fresh.sh

.PHONY: lint
lint: static/node_modules/.package-lock.json ## Check the Go code against .golangci.yml, and the client's types and style
	$(TOOL) golangci-lint run
	cd $(LOCKS) && go tool -modfile=../../tools/go.mod golangci-lint run
	static/node_modules/.bin/tsc -p static/tsconfig.json
	static/node_modules/.bin/tsc -p static/tsconfig.worker.json
	cd static && node_modules/.bin/eslint --max-warnings 0 src

.PHONY: fmt
fmt: ## Format Go and templ files
	$(TOOL) templ fmt web
	$(TOOL) golangci-lint fmt

.PHONY: generate
generate: bundle ## Make the templ code, the client's bundle and its types of messages
	tools/generate.sh

.PHONY: check-generated
check-generated: bundle ## Make them again and fail when a committed file was out of date
	tools/check-generated.sh

.PHONY: suite
suite: bundle wasm $(NODE_LOCKS)/node_modules/.package-lock.json ## Run all tests, of packages that have changed
	go test -C tools -vet=off ./...
	go test -C $(LOCKS) -vet=off $(if $(CI),-race) ./...
	node --test --test-reporter=dot static/src/
	tools/suite.sh $(CONCURRENT)

.PHONY: test-full
test-full: export SAMPLE := all
test-full: test image dist-same ## Run everything, all of the generated scripts, and what is made for others

.PHONY: test-load
test-load: ready ## Run what waits or shares three times while eight others want the processors
	tools/load.sh $(CONCURRENT) ./web/browsertest

.PHONY: contract
contract: ## Run only the tests of the embedded and the real nodes
	go test -race ./luaexec/... ./node/... ./attach/... ./redistest/...
	go test -C $(LOCKS) -race ./...

.PHONY: browser
browser: bundle wasm ## Run only the page's tests, Chromium included
	go test -race ./web/...

# Where make screenshots puts the pictures that are not README's.
PICTURES ?= .cache/screenshots

.PHONY: screenshots
screenshots: bundle wasm ## Take pictures of the page: README's, and others for people to look at
	go test ./web/browsertest -count 1 -run 'TestViews|TestTheHeroIsPictured' -screenshots $(abspath $(PICTURES))

.PHONY: found
found: ## Run published locks and limiters under every schedule: docs/FOUND.md
	go test -C redistest/found -count 1 -v ./...
	go test -C redistest/found/old/redislock090 -count 1 -v ./...

.PHONY: bench
bench: ## Run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

# Which packages are mutated: a whole one takes from minutes to hours, as each mutant is compiled
# and tested by itself. With SINCE, a commit, only the lines that changed since then are.
PACKAGES ?= luaexec/syntax
SINCE ?=
GREMLINS := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0

.PHONY: mutants
mutants: ## Make small faults in PACKAGES, and list those that no test notices
	for package in $(PACKAGES); do \
		go run $(GREMLINS) unleash ./$$package --exclude-files _templ.go --output-statuses lc $(if $(SINCE),--diff $(SINCE)) || exit 1; \
	done

.PHONY: ready
ready: servers bundle wasm $(NODE_LOCKS)/node_modules/.package-lock.json ## Fetch and build what tests need: go test ./any/package runs from then on

.PHONY: servers
servers: ## Install what the tests need: redis-server, MariaDB, ZooKeeper, Valkey 8, Chromium, gcc
	tools/servers.sh

.PHONY: clean
clean: ## Remove what was built or fetched
	rm -rf bin dist site .cache static/node_modules $(NODE_LOCKS)/node_modules
	find static/dist -mindepth 1 ! -name .keep -delete

.PHONY: bundle
bundle: static/node_modules/.package-lock.json
	go run -C tools ./bundle ../static

.PHONY: wasm
wasm: ## Build the player that runs in browsers
	go run -C tools ./wasm ..

# npm writes this file at the end of an installation.
%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	cd $* && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline
	touch $@
