// Package luaexectest is the contract that every engine.Node on Redis keeps: one
// suite of cases, run on each kind of node and compared between them.
package luaexectest
