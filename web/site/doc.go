// Package site writes the playground as a folder of files that any host can serve: every
// page drawn in every language, and the player for browsers.
//
// Addresses in pages are relative, so a playground works in any folder; a lesson's address ends in
// a slash, because static hosts serve a folder's index; file names contain hashes. Player and
// lessons are written twice: hosts that compress serve the plain file, and on others the page
// fetches a compressed copy. A service worker keeps everything in one cache for each build, so
// pages and scripts of two builds never mix. An export replaces and removes only files that an
// earlier export wrote (files.txt).
package site
