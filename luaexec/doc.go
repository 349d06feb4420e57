// Package luaexec is Lua as Redis runs it: the sandbox with its libraries, budgets of
// instructions and memory, and machines that run scripts for a host. It knows no command and no
// data. Programs of clients run in the same sandbox.
//
// gopher-lua parses only what it is about to run. Everything else that reads Lua (syntax errors,
// probes, highlighting, refusals, the statement of an instruction, the variable that an error is
// about) uses one lexer and one tree (package syntax). A tree takes many times the memory of its
// source and is never kept: an error message parses the source again.
//
// The position of a suspended client is read from its stack. gopher-lua confuses the variables of
// blocks that share registers, so CompileStatements compiles a source a second time, with
// statement numbers in place of line numbers, to learn what is in scope.
package luaexec
