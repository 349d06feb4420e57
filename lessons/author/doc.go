// Package author makes lessons of texts that somebody types. It opens no files, so that
// it also runs in the browser: the Author view replaces its Worker by a second WebAssembly module,
// the same program with this package, which learners never download.
package author
