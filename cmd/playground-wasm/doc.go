//go:build js && wasm

// Command playground-wasm is the player for browsers: it runs in a Worker and speaks the messages of the websocket.
//
// Browsers compile WebAssembly quickly at first, and optimise only code that runs often. After its
// first frame the Worker plays the story a few times in a hidden session (warmup.go), so that the
// learner's first steps take milliseconds; a device with one processor plays nothing ahead. The
// page pings its Worker every second; one that is silent for five seconds is terminated, and a new
// one takes over at the last frame. Nothing here waits for a deadline, since no timer fires in a
// busy Worker: scripts are stopped by their budgets.
//
// tools/wasm builds it. Packages of which a few names are used (net/http and html/template,
// through templ) are replaced by stubs, gopher-lua is built without libraries that scripts never
// get, and what is not hot is compiled without inlining. Lessons are a file of their own, so that a
// changed lesson does not change the module.
package main
