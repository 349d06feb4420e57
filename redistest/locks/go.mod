// Tests of the libraries of others. A module of its own, so that whoever requires lockstep to test
// a lock gets the lock's libraries as they are: see docs/REDISTEST.md.
module lockstep/redistest/locks

go 1.26.0

replace lockstep => ../..

require (
	github.com/bsm/redislock v0.9.4
	github.com/go-redsync/redsync/v4 v4.8.1
	github.com/redis/go-redis/v9 v9.23.0
	lockstep v0.0.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/hashicorp/errwrap v1.1.0 // indirect
	github.com/hashicorp/go-multierror v1.1.1 // indirect
	github.com/yuin/goldmark v1.8.7 // indirect
	github.com/yuin/gopher-lua v1.1.2 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
