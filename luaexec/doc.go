// Package luaexec is Lua as Redis runs it: the sandbox with its libraries, budgets of
// instructions and memory, and machines that run scripts for a host. It knows no command and no
// data. Programs of clients run in the same sandbox.
//
// gopher-lua parses only what it is about to run. Everything else that reads Lua (syntax errors,
// probes, highlighting, refusals, the statement of an instruction, the variable that an error is
// about) uses one lexer and one tree (package syntax). A tree takes many times the memory of its
// source and is never kept: an error message parses the source again.
//
// To find the way, read compile.go (a source becomes a Program), rewrite.go (what its tree is given
// that gopher-lua lacks), sandbox.go and budget.go (where every source runs, and how it ends),
// machine.go (a script's run for a Host) and lib_redis.go (redis.call). The other lib_*.go are the
// libraries, one a file; naming*.go and messages.go word errors as Redis does.
//
// The position of a suspended client is read from its stack. gopher-lua confuses the variables of
// blocks that share registers, so CompileStatements compiles a source a second time, with
// statement numbers in place of line numbers, to learn what is in scope.
package luaexec
