package class

// Kind is what an event says.
type Kind string

// The kinds. Those of the teacher come first.
const (
	Opened  Kind = "open"    // Place has the lesson, Who the teacher
	Mode    Kind = "mode"    // Text is a way to go, Step the last step of Pace
	Lead    Kind = "lead"    // the teacher stands at Place, or shows the one of the learner Of
	Ask     Kind = "ask"     // the question of the story's beat Step at Place; Text has its words, Options its answers
	Reveal  Kind = "reveal"  // the answers are shown
	Names   Kind = "names"   // Text is "hidden" or "shown"
	Door    Kind = "door"    // Text is "shut" or "open": whether somebody new may join
	Remove  Kind = "remove"  // the learner Of is out of the class, and does not join it again
	Close   Kind = "close"   // nobody sends anything more
	Join    Kind = "join"    // Text is a name, From a mark of the network
	At      Kind = "at"      // the learner stands at Place after Step steps; Text has what they have reached
	Answer  Kind = "answer"  // Text is the answer to the question number Step
	Guessed Kind = "guessed" // the learner was right or wrong (Text) about the beat Step of the lesson at Place
)

// Ways in which a class goes through a lesson.
const (
	Free   = "free"   // everybody plays
	Led    = "lead"   // everybody sees what the teacher sees
	Paced  = "pace"   // nobody goes beyond a step
	Hidden = "hidden" // names
	Shut   = "shut"   // the door
)

// What learners have reached.
const (
	Broke  = "broke"  // a rule is broken there
	Solved = "solved" // a challenge is won
	Ended  = "ended"  // the story is at its end
	Right  = "right"
	Wrong  = "wrong"
)

// Event is one thing that happened in a class.
type Event struct {
	Kind    Kind     `json:"kind"`
	Who     string   `json:"who,omitempty"` // the public name of who sent it: a hash of their token
	Place   Place    `json:"place,omitzero"`
	Step    int      `json:"step,omitempty"`
	Text    string   `json:"text,omitempty"`
	Of      string   `json:"of,omitempty"`
	From    string   `json:"from,omitempty"`
	Options []Option `json:"options,omitempty"`

	ID   string `json:"-"`              // in the stream
	Size int    `json:"-"`              // in bytes
	Time int64  `json:"time,omitempty"` // of the store, in milliseconds since 1970
}

// Place is where somebody is: a lesson, and the query of its address, which has the moves.
type Place struct {
	Lesson string `json:"lesson"`
	Query  string `json:"query,omitempty"`
}

// Option is an answer that a question offers.
type Option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}
