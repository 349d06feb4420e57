// Package template is what templ names of html/template. No page of this project
// has such a template in it.
package template

import (
	"errors"
	"io"
)

// HTML is text that needs no escaping.
type HTML string

// Template is one that cannot be run.
type Template struct{}

// Execute fails.
func (*Template) Execute(io.Writer, any) error {
	return errors.New("html/template is not part of the build for browsers")
}
