// Package decode reads lessons from their YAML, strictly: a mistake names the file, line
// and column, shows the line and says what to write instead.
//
// The format is a set of Go types (format.go). Their tags say what each key holds, whether it is
// required, what messages call it and what editors show about it. One decoder (fill.go) fills the
// types, with the place of each value, and reports what does not fit; small functions, one for
// each part, then build the lesson and report what makes no sense. The schema comes from the same
// tags.
package decode
