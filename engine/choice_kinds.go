package engine

import (
	"context"
	"slices"

	"lockstep/engine/fact"
)

// ChoiceKind is one of the things that may happen next.
type ChoiceKind string

// What may happen next.
const (
	Run       ChoiceKind = "run"       // an actor performs its pending request, or takes the answer to it
	Tick      ChoiceKind = "tick"      // the clock moves
	Crash     ChoiceKind = "crash"     // a process dies with all its actors, or a node with its data
	Restart   ChoiceKind = "restart"   // a crashed node starts again
	Save      ChoiceKind = "save"      // a node keeps a snapshot of its data
	Pause     ChoiceKind = "pause"     // a process or a node stands still, timers included
	Resume    ChoiceKind = "resume"    // what was paused goes on
	Drop      ChoiceKind = "drop"      // the oldest message that waits in a process is lost
	Cut       ChoiceKind = "cut"       // what one end sends no longer reaches the other
	Heal      ChoiceKind = "heal"      // two ends reach each other again
	Clock     ChoiceKind = "clock"     // the clock of a process or a node jumps
	Replicate ChoiceKind = "replicate" // a write that is on its way reaches a replica
	Promote   ChoiceKind = "promote"   // a replica leads from now on
)

// ChoiceKinds has one row for each ChoiceKind, in the order in which messages list them. A row holds all that
// differs from kind to kind except words: worlds, searches, the format of lessons, random runs and pages look
// there instead of naming kinds.
var ChoiceKinds = [...]KindOfChoice{
	{Kind: Run, Of: AnActor, GoesOn: true, Often: 30, Doc: "The actor whose request is performed. A task of it is A:watchdog."},
	{Kind: Tick, Of: TheClock, GoesOn: true, Often: 6, Doc: "How far the clock moves; nothing means to the next instant at which something is due."},
	{Kind: Crash, Of: AMachine, AllowedBy: Crash, Needs: NeedKeys, Mark: MarkDead, Doc: "The process that dies, or the node, with all that it held.", do: crash},
	{Kind: Restart, Of: ANode, GoesOn: true, May: "from snapshot", AllowedBy: Crash, Needs: NeedKeys, Often: 8, Doc: "The crashed node that starts again: empty, or from snapshot.", cannot: cannotRestart, do: restart},
	{Kind: Save, Of: ANode, AllowedBy: Save, Needs: NeedKeys, Harmless: true, Doc: "The node that keeps a snapshot, for a restart from it.", cannot: cannotSave, do: save},
	{Kind: Pause, Of: AMachine, AllowedBy: Pause, Doc: "The process or the node that stands still, its timers too.", cannot: cannotPause, do: pause},
	{Kind: Resume, Of: AMachine, GoesOn: true, AllowedBy: Pause, Harmless: true, Often: 6, Doc: "The paused process or node that goes on.", cannot: cannotResume, do: resume},
	{Kind: Drop, Of: AProcess, AllowedBy: Drop, Doc: "The process that loses the oldest message that waits for it.", cannot: cannotDrop, do: drop},
	{Kind: Cut, Of: ALink, AllowedBy: Cut, Mark: MarkDead, Doc: "Who sends and who no longer receives: app-1 n4 loses requests, n4 app-1 loses replies.", cannot: cannotCut, do: cut},
	{Kind: Heal, Of: ALink, GoesOn: true, AllowedBy: Cut, Harmless: true, Often: 6, Doc: "The two ends that reach each other again.", cannot: cannotHeal, do: heal},
	{Kind: Clock, Of: AClock, AllowedBy: Clock, Mark: MarkTime, Doc: "Whose clock jumps, and how far: n3 +10s, app-1 -2s.", cannot: cannotJump, do: jump},
	{Kind: Replicate, Of: ANode, GoesOn: true, May: "all", Needs: NeedReplicas, Harmless: true, Often: 8, Mark: MarkMessage, Doc: "The replica that the next write reaches, or all that are on their way.", cannot: cannotReplicate, do: replicate},
	{Kind: Promote, Of: ANode, AllowedBy: Promote, Needs: NeedReplicas, Often: 3, Doc: "The replica that leads from now on.", cannot: cannotPromote, do: promote},
}

// KindOfChoice is a row of ChoiceKinds.
type KindOfChoice struct {
	Kind      ChoiceKind
	Of        Object
	May       string     // words that may follow the target
	GoesOn    bool       // as long as one may be made, nobody waits for ever
	AllowedBy ChoiceKind // the fault that a lesson must allow: itself, or the one that it ends; empty: it may always be made
	Needs     Need       // what a node must have for it
	Harmless  bool       // no breach of a rule is its doing
	Often     int        // its weight among the choices of a random run; 0 counts as 1
	Mark      Mark
	Doc       string // what a lesson names with it

	cannot func(*World, Choice) fact.Fact // the reason against it now; nil: only a crash of its target is one
	do     func(context.Context, *World, Choice, *Step) error
}

// Object is what a choice is about.
type Object string

// What choices are about, as messages call it.
const (
	AnActor  Object = "an actor"
	TheClock Object = "the clock"
	AProcess Object = "a process"
	ANode    Object = "a node"
	AMachine Object = "a process or a node"
	ALink    Object = "a link"
	AClock   Object = "a clock"
)

// Need is what a choice takes for granted of a node; nothing when it is empty.
type Need string

// What choices need of a node.
const (
	NeedKeys     Need = "keys"     // data that a crash can lose, and a snapshot can keep
	NeedReplicas Need = "replicas" // such data, and a leader or a replica that has the same
)

// Mark is the sign of a choice in a picture of a run; when it is empty, the one of all faults.
type Mark string

// The signs that are not that of all faults.
const (
	MarkDead    Mark = "dead" // a machine or a link no longer works
	MarkTime    Mark = "time"
	MarkMessage Mark = "message"
)

// ChoiceNames are the kinds as texts, in their order.
func ChoiceNames() []string {
	names := make([]string, len(ChoiceKinds))
	for i, row := range ChoiceKinds {
		names[i] = string(row.Kind)
	}
	return names
}

// Row is the kind's row of ChoiceKinds; the zero row is of no kind.
func (k ChoiceKind) Row() KindOfChoice {
	if i := slices.IndexFunc(ChoiceKinds[:], func(row KindOfChoice) bool { return row.Kind == k }); i >= 0 {
		return ChoiceKinds[i]
	}
	return KindOfChoice{}
}

// Of is what choices of the kind are about; empty when there is no such kind.
func (k ChoiceKind) Of() Object { return k.Row().Of }

// IsFault tells whether the kind is neither an actor's step nor a move of the clock: something goes
// wrong by it, or is mended, saved or replicated.
func (k ChoiceKind) IsFault() bool {
	of := k.Of()
	return of != "" && of != AnActor && of != TheClock
}

// Undoes tells whether one of two kinds ends what the other begins.
func (k ChoiceKind) Undoes(other ChoiceKind) bool {
	return k != other && (k.Row().AllowedBy == other || other.Row().AllowedBy == k)
}

// Undoes tells whether one of two choices ends what the other begins. Either end of a link may be named first.
func (c Choice) Undoes(other Choice) bool {
	return c.Kind.Undoes(other.Kind) && (c.Target == other.Target && (c.Kind.Of() != ALink || c.Other == other.Other) ||
		c.Target == other.Other && c.Other == other.Target)
}

// Costs tells whether a lesson must allow choices of the kind, and they are not the end of
// another fault.
func (k ChoiceKind) Costs() bool {
	row := k.Row()
	return row.AllowedBy != "" && row.AllowedBy == row.Kind
}

// AllowedBy is the fault that a lesson must allow for the choice to be made.
func (c Choice) AllowedBy() (fault Choice, needed bool) {
	row := c.Kind.Row()
	fault = Choice{Kind: row.AllowedBy, Target: c.Target}
	if row.Of == ALink || row.Of == AClock {
		fault.Other, fault.Span = c.Other, c.Span
	}
	return fault, row.AllowedBy != ""
}

// IsAllowed tells whether faults that a lesson allows let the choice be made at all. A link is healed
// both ways at once, so its ends may stand in either order.
func (c Choice) IsAllowed(faults []Choice) bool {
	fault, needed := c.AllowedBy()
	back := Choice{Kind: fault.Kind, Target: fault.Other, Other: fault.Target}
	return !needed || slices.Contains(faults, fault) || c.Kind == Heal && slices.Contains(faults, back)
}
