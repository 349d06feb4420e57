package lessons

// Code identifies a kind of problem, for programs. Its meaning never changes.
type Code string

// Meaning is what a code says.
type Meaning struct {
	Code Code
	Text string
}

// Codes are the meanings of all codes, in the order in which these are declared.
var Codes []Meaning

func code(name Code, text string) Code {
	Codes = append(Codes, Meaning{name, text})
	return name
}

// The codes of mistakes in a file.
var (
	CodeFile            = code("file", "a file is missing, cannot be read, or is not text")
	CodeYAML            = code("yaml", "the file is not YAML, or uses a part of YAML that lessons may not")
	CodeLimit           = code("limit", "more, longer or deeper than a lesson may be")
	CodeUnknownKey      = code("unknown-key", "a key that the format does not have")
	CodeDuplicateKey    = code("duplicate-key", "a key that appears twice")
	CodeMissingKey      = code("missing-key", "a required key is missing")
	CodeKind            = code("kind", "a text, list or mapping where a different kind is required")
	CodeName            = code("name", "a name with characters that names cannot have")
	CodeUnknownName     = code("unknown-name", "a name that nothing in the lesson has")
	CodeDuplicateName   = code("duplicate-name", "a name that is taken already")
	CodeValue           = code("value", "a duration, reply, move … that does not fit where it stands")
	CodeLua             = code("lua", "Lua that does not compile")
	CodeRefused         = code("refused", "something that the embedded Redis and real servers do differently")
	CodeProse           = code("prose", "Markdown with HTML, a picture or an unsafe link")
	CodeFaultNotAllowed = code("fault-not-allowed", "a fault that the lesson's faults do not allow")
	CodeCircle          = code("circle", "lessons that need each other")
	CodeMissingLanguage = code("missing-language", "a text in one language only")
)

// The codes of problems that show when a lesson is played.
var (
	CodeUnmet         = code("unmet", "an expectation that does not hold")
	CodeCannotHappen  = code("cannot-happen", "a move that cannot happen at that point")
	CodeProgramFailed = code("program-failed", "a program that fails before its first request")
	CodeNoAnswer      = code("no-answer", "a question whose answer finds nothing")
	CodeOptions       = code("options", "a question that offers answers, and not the right one among them, or twice")
	CodeNotTheSame    = code("not-the-same", "the same moves had a different result, the second time or on another engine")
	CodeEngine        = code("engine", "an engine or the lesson's Lua could not go on")
	CodeGoal          = code("goal", "a challenge's goal that is reached without any effort, or cannot be evaluated")
	CodeSolution      = code("solution", "a challenge's solution that does not reach the goal")
	CodeUnproven      = code("unproven", "something about all schedules that a search does not find")
)

// The codes of lessons that prove less than they could.
var (
	CodeProvesNothing  = code("proves-nothing", "a lesson without any expectation")
	CodeExpectsNothing = code("expects-nothing", "a beat that moves and expects nothing")
	CodeIdleInvariant  = code("idle-invariant", "an invariant that nothing in the story or the solution could break")
	CodeIdleActor      = code("idle-actor", "an actor that never moves")
	CodeUnusedScript   = code("unused-script", "a script that never runs")
	CodeUnusedFault    = code("unused-fault", "a fault that is never used")
	CodeLongSolution   = code("long-solution", "a challenge's solution that goes on after the goal")
	CodeIdleExpect     = code("idle-expect", "an expectation or a question about something that never exists")
	CodeMeanings       = code("meanings", "more or fewer meanings of KEYS or ARGV than a script is called with")
	CodeUnusedNode     = code("unused-node", "a server that is never used")
	CodeOneDraw        = code("one-draw", "a program whose random numbers are the same on each run")
	CodeUndated        = code("undated", "an incident without its cause, what it affects, or what cured it")
	CodeNoVersions     = code("no-versions", "a lesson with sources that does not say which versions behave as it shows")
	CodeLongLead       = code("long-lead", "a beat whose first sentence is too long")
	CodeNotCloser      = code("not-closer", "something that holds, as far as was searched: where the clock stops more often, a search has reached its bounds")
	CodeOffClock       = code("off-clock", "a span in a program that is not a multiple of the clock's resolution")
)
