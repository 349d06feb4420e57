//go:build js && wasm && author

package main

import "lockstep/lessons/author"

func init() { writer = author.Desk{} }
