//go:build js && wasm && author

package main

import (
	"lockstep/lessons/author"
	"lockstep/web/player"
)

func init() { writer = player.NewAuthor(author.Reader{}, nil) }
