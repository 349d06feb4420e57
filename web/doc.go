// Package web serves the playground: its pages, its files and a websocket for each
// learner.
//
// # Places and turns
//
// A session holds its place only as long as nobody needs it more. A visitor is an IP address (for
// IPv6 a network). When all places are taken, a new session takes that of one that has been idle
// for a minute, or else one from the visitor who has the most. An idle page gets a place again, by
// replay, when its learner acts; a page that finds none goes on in the browser. Drawing a page
// needs a turn and no place, and the turn ends before the page is sent: a slow reader keeps nobody
// waiting. How often a visitor may ask at all is in requests.go.
//
// Commands take turns (turns.go), about as many at a time as there are processors: more would be
// no faster, and each may hold 64 MB while a script runs. Commands for real servers have turns of
// their own, because a server that hangs would block everybody. Original lessons go before
// learners' code, and visitors who have used little time before those who have used much. A replay
// may take two seconds.
//
// The memory of sessions is estimated (engine/quota): traces, programs, scripts, keys and rendered
// HTML. Each session has an allowance of 2 MB; beyond it all share 1 MB for each place. When that is
// used up, branches go first, and then steps fail with a message.
//
// # Connections
//
// There is no resume message. A client that lost its connection loads lesson, engine, schedule,
// place and branches again, so a restart of the server is no different from a lost connection. A
// frame names the last command that it includes, and the client sends the others again, once. Dead
// connections do not close by themselves: both sides drop a peer that was silent too long.
//
// A draft is a lesson of one session: while an author types, the page sends all files of the
// lesson, and the player plays the result with the same schedule. A save writes all changed files
// of a lesson or none, only if those on disk are the ones that were opened; files with mistakes
// are refused, because everybody would see them. A new lesson is written beside its place and
// renamed, and published before the reply, so that the page can go there at once.
//
// # Other pages
//
// /embed/LANG/LESSON/ is the lesson's page for frames of other pages, and the only one that they
// may frame; it plays in the browser if it can, so that frames take no places. ?view=present is
// for an audience. Pages of a class (class_pages.go, class_events.go) hear by server-sent events what
// web/class has of it, and post what they do. The way is an attribute of the html element, which the style sheet follows. The
// page of real clients (live.go) hears of changes by server-sent events, and sends forms. The
// comparison of locks is data with links to steps of stories; the player does not know it.
package web
