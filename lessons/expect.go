package lessons

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/fact"
)

// Expect is what must be true after a beat. What it does not name is free, except that
// nothing may break and no program may fail.
type Expect struct {
	Parts []Expected
	Place Place
}

// Expected is one thing that must be true after a beat.
type Expected struct {
	Key   string   // of its row in Expectations
	Name  string   // the actor, key, node or section that it is about; empty: the beat as a whole
	Texts []string // all of a list; of every other form, one
	Place Place    // in the lesson; zero: it stands in none

	// Of a key. A string has its value in Texts.
	Node string          // the server that has it; empty: the first
	Type engine.KeyType  // empty: any; NoKey: it must not exist
	TTL  *engine.Instant // what is left; engine.NoDeadline: for ever; nil: not compared

	// Of a key, all of its items; nil: not compared. Of a row, the columns that are compared; nil: it
	// must not exist.
	Items []engine.Item
}

// Form is how an expectation is written in a lesson.
type Form uint8

// The forms.
const (
	OfReply Form = iota // error: ERR, one text about the reply to the beat's last request
	List                // woke: [A, B]
	Names               // leads: [m, r]: an expectation for each name
	Absent              // gone: [lock, {node: n2, key: lock}]
	TextFor             // status: {A: ready}
	ListFor             // holds: {lock: [A, B]}
	Columns             // rows: {stock/10: {stock: 0}, stock/20: none}
	Looks               // keys: {lock: {type: string, value: A}}
)

// Expectation is a row of Expectations. Decoding, the schema and --fix read the exported fields
// and know no row by name, but for the reply to tell that a move has no two of them.
type Expectation struct {
	Key   string
	Form  Form
	Of    string // the sort of its names (decode.sortsOf); empty: any text
	Is    string // the sort of its texts, or a kind (decode.kinds); empty: any text
	Each  string // what messages call an item of a list, and say before the name in a mapping
	Most  string // the limit (decode.limits) of its items; empty: none
	Write string // what to write when its form is wrong, as tags in lessons/decode say it
	Doc   string // what an editor says about it

	// Of a row that is compared by texts.
	//
	// look finds what an outcome has of a name, in the texts of a lesson. It finds nothing exactly
	// when there is nothing of this kind. Invariant: what it finds fits the same outcome, or
	// check --fix would write what does not hold. told is the finding in a message; the zero Fact: as
	// word and none have it.
	look    func(outcome, Expected) (found []string, told fact.Fact)
	fits    func(want, found []string) bool // nil: they are equal
	set     bool                            // order and repetition do not count
	always  bool                            // a beat without this expectation expects nothing found
	what    string                          // code of the fact that names the expectation
	word    func([]string) fact.Fact        // texts in a message, at least one; nil: as they are
	none    string                          // code of the fact that nothing is found
	instead []string                        // rows that describe an outcome in which this one finds nothing, likeliest first

	// Of any other row.
	unmet func(outcome, Expected) []Unmet    // Place is left to the caller
	see   func(outcome, Expected) []Expected // what to expect instead: it fits the outcome

	// idle warns of an expectation that holds whatever happens in what is played; nil: none can.
	idle func(*lint, Expected)
}

// Expectations is all that a lesson can expect of a beat, in the order in which it is
// compared and written.
var Expectations = []Expectation{
	{
		Key: "reply", Form: OfReply, Is: "reply", Write: `1 | nil | OK | '"text"' | '[1, "text"]'`,
		Doc:  `The reply: 1, nil, OK, '"text"' with its quotes, '[1, "text"]'.`,
		look: outcome.reply, what: "reply", none: "no-reply", instead: []string{"error", "no-reply"},
	},
	{
		Key: "error", Form: OfReply, Is: "error", Write: "lesson-write-part-of-error",
		Doc:  "A part of the error that is the reply.",
		look: outcome.reply, fits: partOf, what: "reply", none: "no-reply", word: wording("error-with"), instead: []string{"reply", "no-reply"},
	},
	{
		Key: "no-reply", Form: OfReply, Is: "reason",
		Doc:  "Why the request has no reply: it was lost on a cut link, the reply was, the node is paused, or the request waits in the node.",
		look: outcome.reply, what: "reply", none: "none", word: reasonFact, instead: []string{"reply", "error"},
	},
	{
		Key: "answers", Form: TextFor, Of: "actor", Is: "reply", Each: "the reply to", Most: "items", Write: "answers: {B: 1}",
		Doc:  "Replies to requests of earlier moves that nodes gave in this one, by actor.",
		look: outcome.answer, fits: sameOrPartOfError, what: "answer-to", none: "none",
	},
	{
		Key: "keys", Form: Looks, Each: "the key", Write: "keys: {anyLock: {type: hash, value: {A: 1}, ttl: 30s}}",
		Doc:   "Keys that must exist, and how they must look. A key that several servers have is a list: [{node: n1, value: A}, {node: n2, value: B}].",
		unmet: outcome.keyUnmet, see: outcome.seeKey, idle: (*lint).idleKey,
	},
	{
		Key: "rows", Form: Columns, Of: "row", Each: "the row", Most: "items", Write: "rows: {stock/10: {stock: 0}} | rows: {stock/10: none}",
		Doc:   "Rows of tables, by table and primary key: the columns that count, as they were committed, or none.",
		unmet: outcome.rowUnmet, see: outcome.seeRow,
	},
	{
		Key: "pending", Form: Columns, Of: "row", Each: "the row", Most: "items", Write: "pending: {stock/10: {stock: 0}} | pending: {stock/10: none}",
		Doc:   "What a transaction has made of rows and not committed: the columns that count, or none.",
		unmet: outcome.rowUnmet, see: outcome.seeRow,
	},
	{
		Key: "locks", Form: ListFor, Of: "row", Is: "lock", Each: "the locks on", Most: "items", Write: "locks: {stock/10: [A X, B waits X]} | locks: {stock/10: []}",
		Doc:  "Who has and waits for locks on rows, or on the gap before them: exactly these. X, S, gap and insert are the modes; TABLE/+∞ is behind the last row.",
		look: outcome.locks, set: true, what: "locks-on", none: "none",
	},
	{
		Key: "gone", Form: Absent, Most: "items", Write: "gone: [anyLock]",
		Doc:   "Keys that must not exist: on no server, or with {node: n4, key: lock} on that one.",
		unmet: outcome.goneUnmet, see: outcome.seeGone, idle: (*lint).idleKey,
	},
	{
		Key: "holds", Form: ListFor, Is: "actor", Write: "holds: {anyLock: [A]} | holds: {anyLock: []}",
		Doc:  "Who is inside each critical section: exactly these. Nobody is [].",
		look: outcome.inside, set: true, what: "inside", none: "nobody", idle: (*lint).idleSection,
	},
	{
		Key: "status", Form: TextFor, Is: "status", Each: "the status of", Write: "status: {B: waiting}",
		Doc:  "What actors, tasks and nodes must be doing. A node is ready, paused or crashed; a task that has not begun, or has ended well, is none.",
		look: outcome.status, what: "status-of", none: "no-such-actor", word: statusFact, idle: (*lint).idleTask,
	},
	{
		Key: "failed", Form: TextFor, Of: "actor", Is: "part", Each: "the failure of", Most: "items", Write: "failed: {A: not locked by}",
		Doc:  "Programs that must break off in this move, with a part of their error.",
		look: outcome.failed, fits: partOf, what: "program-of", none: "goes-on", word: wording("it-fails"), instead: []string{"status"},
	},
	{
		Key: "says", Form: TextFor, Of: "actor", Is: "part", Each: "what is said by", Most: "items", Write: "says: {B: tryLock is false}",
		Doc:  "What programs must say in this move, or a part of it.",
		look: outcome.said, fits: partOf, what: "said-by", none: "nothing",
	},
	{
		Key: "behind", Form: TextFor, Of: "replica", Is: "behind", Each: "how far behind is", Most: "items", Write: "lesson-write-lag",
		Doc:  "How many writes are on their way to replicas, or lost when the leader sends none any more.",
		look: outcome.behind, what: "behind", none: "leads-itself", word: lagFact, instead: []string{"leads"}, idle: (*lint).idleLag,
	},
	{
		Key: "leads", Form: Names, Of: "replica", Each: "a node", Most: "nodes", Write: "leads: [r]",
		Doc:  "Nodes that must be running and be nobody's replica: each of these.",
		look: outcome.leads, fits: anything, what: "role-of", none: "leads-itself", instead: []string{"behind"}, idle: (*lint).idleLeader,
	},
	{
		Key: "messages", Form: List, Most: "items", Write: `messages: ["0"]`,
		Doc:  "The payloads that the move delivered, in order.",
		look: outcome.messages, what: "messages", none: "none",
	},
	{
		Key: "events", Form: ListFor, Of: "process", Write: "events: {app-2: [NodeDeleted /lock]} | events: {app-2: []}",
		Doc:  "What the move tells a process of what it watches or listens to, in order: the event or the payload, and the znode or the channel. None is [].",
		look: outcome.messages, what: "events-of", none: "none",
	},
	{
		Key: "woke", Form: List, Is: "actor", Each: "an actor", Most: "items", Write: "woke: [A]",
		Doc:  "The actors that a timer woke.",
		look: outcome.woken, set: true, what: "woke", none: "nobody",
	},
	{
		Key: "broken", Form: List, Is: "invariant", Each: "an invariant", Most: "invariants", Write: "broken: [mutual-exclusion]",
		Doc:  "The invariants that the move breaks: exactly these.",
		look: outcome.broken, set: true, always: true, what: "broken", none: "nothing", word: rulesFact,
	},
}

// Of lists what is expected under a key of Expectations.
func (e *Expect) Of(key string) []Expected {
	var of []Expected
	if e != nil {
		for _, part := range e.Parts {
			if part.Key == key {
				of = append(of, part)
			}
		}
	}
	return of
}

// Breaks tells whether an invariant must break.
func (e *Expect) Breaks() bool {
	return slices.ContainsFunc(e.Of("broken"), func(b Expected) bool { return len(b.Texts) > 0 })
}

// silent tells whether nothing is expected.
func (e *Expect) silent() bool { return e == nil || len(e.Parts) == 0 }

// ExpectationOf is the row of a key.
func ExpectationOf(key string) *Expectation {
	i := slices.IndexFunc(Expectations, func(row Expectation) bool { return row.Key == key })
	return &Expectations[i]
}
