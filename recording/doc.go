// Package recording writes what clients have sent to servers as a lesson, so that there is
// one page on which anything is played. Its programs have no branches: they send what was sent,
// when it was sent, and the story has the order in which the server took it. A pause is a `sleep`
// from which a paused process does not wake, as a lesson's client would already have seen the
// reply. What a lesson may not send is left out, and said to be.
package recording
