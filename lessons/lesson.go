package lessons

import (
	"regexp"
	"time"

	"lockstep/engine"
	"lockstep/node/redis/cluster"
)

// Lesson is one lesson, decoded and validated.
type Lesson struct {
	Name       string // its folder, and its part of the URL
	Title      Text
	Summary    Text   // one sentence for the list of lessons
	Chapter    string // one of Chapters
	Level      Level
	Sources    []string        // documents and links that describe the mechanism
	Versions   []Text          // the products and versions that behave as it shows
	Needs      []string        // lessons that a reader must know before
	Formerly   []string        // names that it had, or that lessons had which it took in
	Cause      Prose           // of an incident: why it happened, which its story does not tell
	Affected   []Text          // the products and versions that behave as the story shows
	Cured      []Text          // the version, commit or issue that cured it; "open at" a date when none has
	Nodes      []Node          // the servers; one Redis is the default
	Cluster    []cluster.Range // the slots of its members, in order; empty: there is no cluster
	Moving     []cluster.Move  // slots of it that are on their way
	Given      []Given         // keys that are there at the start
	Resolution time.Duration
	Timeout    time.Duration // when clients give up on a reply; 0: engine.DefaultTimeout
	Client     Client
	Scripts    []Script
	Actors     []Actor
	Words      Words    // of comments in scripts and programs, and of what programs say
	Invariants []string // names of the engine's own rules
	Rules      []Rule   // the lesson's own
	Faults     []engine.Choice
	Story      []Beat
	Challenges []Challenge // one after the other
	Claims     []Claim     // what a search of all schedules finds

	Hash string // of everything that decides what happens; prose is not part of it

	File     string           // that it was read from
	YAML     string           // the text of that file
	Declared map[string]Place // where "chapter simple", "actor A", "script lock", "invariant stock", "fault crash jvm-1" stand
	Warnings Problems         // found while reading; a lesson with errors is not read at all
}

// Level is how much a reader should know beforehand.
type Level string

// The levels.
const (
	Basic    Level = "basic"
	Advanced Level = "advanced"
)

// Lang is a language of the page.
type Lang string

// The languages.
const (
	En Lang = "en"
	Zh Lang = "zh"
)

// Text is plain text in both languages.
type Text struct{ En, Zh string }

// In is the text in one language.
func (t Text) In(lang Lang) string {
	if lang == Zh {
		return t.Zh
	}
	return t.En
}

// Prose is rendered from Markdown when a lesson is decoded: safe HTML in both languages.
type Prose struct {
	Source Text // the Markdown
	HTML   Text
}

// Client is the lock client that a lesson's programs call.
type Client struct {
	Name   string // "redisson"; empty when programs use the primitives alone
	File   string // that it was read from; empty when it comes with the playground
	Source string
}

// publicFunction is a function of a client that programs call.
var publicFunction = regexp.MustCompile(`(?m)^function (\w+)`)

// Functions are the names of those that the client offers to programs.
func (c Client) Functions() []string {
	var names []string
	for _, found := range publicFunction.FindAllStringSubmatch(c.Source, -1) {
		names = append(names, found[1])
	}
	return names
}

// Chunk is what errors and positions call the client's source: no actor has a
// name with a dot.
func (c Client) Chunk() string { return c.Name + ".lua" }

// Script is a server-side script and what its KEYS and ARGV mean.
type Script struct {
	Name   string
	File   string
	Source string
	Keys   []Text // meanings of KEYS, for people
	Args   []Text // meanings of ARGV
	Place  Place  // of its first line
}

// Actor is one thread with its program.
type Actor struct {
	Name    string
	Process string
	Program string
	Count   int   // of a crowd, whose clients all run the program and take turns; 0: it is a single client
	Place   Place // of the program's first line
}

// Rule is a Lua expression over the keys: an invariant of the lesson's own, or the
// goal of a challenge.
type Rule struct {
	Name  string
	Lua   string
	Say   Text // what it is about, for people; may be empty
	Place Place
}

// Beat is one move of the story: what is said before it, what is asked, the
// choices that it makes, and what must be true afterwards.
type Beat struct {
	Say     Prose
	Ask     *Ask
	Choices []engine.Choice // empty: only words
	Expect  *Expect
	Place   Place
	Move    Place // of what makes the choices
}

// Query reads one value from the state after a beat.
type Query struct {
	Kind QueryKind
	Node string // empty: the first node
	Key  string
	Item string // field, member or index
}

// QueryKind is what a Query reads.
type QueryKind string

// What a Query can read.
const (
	QueryReply     QueryKind = "reply"  // the reply of the beat's last step
	QueryGet       QueryKind = "get"    // a string
	QueryHGet      QueryKind = "hget"   // a hash field
	QueryLIndex    QueryKind = "lindex" // a list element
	QueryZScore    QueryKind = "zscore" // a zset member's score
	QueryLLen      QueryKind = "llen"   // how many elements of a list; of the next three, likewise
	QueryHLen      QueryKind = "hlen"
	QuerySCard     QueryKind = "scard"
	QueryZCard     QueryKind = "zcard"
	QuerySIsMember QueryKind = "sismember" // yes or no
	QueryStatus    QueryKind = "status"    // of an actor or a node
	QueryTTL       QueryKind = "ttl"       // a key's remaining time, as 30s
	QueryExists    QueryKind = "exists"    // yes or no
	QueryColumn    QueryKind = "column"    // of a row of a table, as it was committed
	QueryHolder    QueryKind = "holder"    // the actors inside a critical section
)

// Incidents is the chapter of what went wrong with a product in use. What is told there is dated.
const Incidents = "incidents"

// Chapters are the groups of lessons, in teaching order. A lesson that fits into no other
// belongs to more.
var Chapters = []string{"why", "simple", "reentrancy", "redisson", "watchdog", "fairness", "more", "servers", "ids", Incidents, "sql", "zookeeper", "compare"}
