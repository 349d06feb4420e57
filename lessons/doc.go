// Package lessons defines lessons - actors, scripts and a story with expectations - and
// checks them by playing them.
//
// A beat speaks about the world that its moves have made, so the story says why what is shown came
// to be, and announces only who moves next. A beat of words alone belongs to the place where the
// beat before it ended.
//
// A challenge cannot be won by following the story, nor by doing nothing: such a goal teaches
// nothing, and a check refuses it. It plays the solution on every engine, as it does the story.
//
// An invariant proves something only if it was checked where it could have failed: mutual
// exclusion, for example, while somebody is inside and another sends a request. The story and the
// challenge's solution are searched for such steps.
//
// One mistake gives one message, at the line that is wrong. A name that a broken part of the file
// may declare is not reported as missing elsewhere. A program or script that breaks off, or a span
// that the clock cannot represent, is reported once, and nothing after it is compared. Mistakes
// that a second engine shows as well are only counted.
//
// Lessons come in editions: the catalogue as it is at one time. A session whose lesson changed
// reloads it in place, with the same choices. A lesson whose files are broken keeps its last good
// version, with the mistakes beside it.
//
// What code says is translated for the eye: comments of what lessons share (comments.txt),
// and a lesson's own comments and what its programs say (Words). What runs, and its SHA1, is the original text.
package lessons
