// Package real is an engine.Node on a real Redis server: its keys live and die by the
// world's virtual clock.
//
// # One step is one transaction
//
// MULTI thaws the keys (virtual TTLs become real ones, what is due is deleted), runs the learner's
// command or script, reads type, value and PTTL of every key, and freezes the keys again with a
// TTL of an hour, so that a killed playground leaves nothing behind. Servers that report 7.2 or
// newer freeze time inside EXEC. On older ones a step counts only if it began and ended within one
// millisecond of the server's clock; otherwise it is undone (DUMP before, RESTORE after) and tried
// again. Only a step that neither reads nor sets a TTL may take longer.
//
// A script must not be able to forge replies. Valkey 8.0 sends line breaks in raised errors as
// they are, so a script could write what looks like the replies after its own. Each step therefore
// reads its own connection up to end markers drawn at random for that step (wire.go): whatever
// stands between the thawing reply and the first marker is the step's reply. Names in the report
// must belong to the session. A connection with any error is closed.
//
// # No step is trusted
//
// A step runs as an ACL user that is created and removed with its node. It may use the families of
// data commands, PUBLISH and EVAL, no @dangerous command and no module's; on a shared server also
// only the session's keys and channels. RESTORE, subscriptions and SCRIPT KILL stay with the user
// of the URL, who runs no scripts. A refusal by these rules is the step's reply, except that a
// step on a shared server that names something outside the session is not shown: elsewhere its
// reply would differ. Where one script can change the interpreter for all others (before the fix
// of CVE-2025-46818), or where no such user can be made, edited scripts are refused.
//
// A step ends after 2 s or 4 MB of replies. A private server has 32 MB of keys and 256 MB of
// address space (maxmemory does not count Lua's memory); one that does not recover is killed, and
// the schedule replayed. On a shared server a script that has written cannot be killed: its owner
// can only SHUTDOWN NOSAVE.
//
// A private server has one process for each node. Scripts may name keys literally, which no prefix
// could keep apart, and a script that crashes its server affects one learner. On a shared server
// each session has a prefix; a script that names keys itself, or looks at the text of KEYS, is
// refused there with the reason.
//
// A killed playground's users and keys are removed by the next one. Each playground holds a
// subscription named after its id for as long as it lives, and users and keys whose id nobody is
// subscribed for belong to nobody (presence.go).
//
// # Replicas, clusters, crashes
//
// Replication is DUMP on the primary after each write and RESTORE on a replica when the schedule
// says `replicate`. REPLICAOF would also carry the freezing and thawing of all keys, and would
// send when its own timers say so. What it does otherwise: it passes on PUBLISH; a script on a
// replica may PUBLISH; a script that catches the refusal of its write reads READONLY; a replica
// that was away briefly is sent only what it missed. A primary with min-replicas-to-write is none that
// has the setting: the engine knows whom it hears, and runs its scripts as those of a replica. A value that holds the name of a key cannot
// be copied on a shared server, where that name differs from node to node.
//
// A member of a cluster is a plain server that is not asked for keys of other members; a real
// cluster would need ports, and seconds to find itself. Only a script that uses a key which the member
// does not have just then, undeclared or deleted by itself in a slot that moves, or has flags about clusters, fails
// in a real cluster and in an embedded one, and not here. A crash is SIGKILL on a private
// server, and the deletion of the node's keys on a shared one; a snapshot is the playground's and
// outlives the process.
package real
