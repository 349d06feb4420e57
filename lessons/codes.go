package lessons

// Code identifies a kind of problem, for programs. Its meaning never changes.
type Code string

// The codes of mistakes in a file.
const (
	CodeFile            Code = "file"
	CodeYAML            Code = "yaml"
	CodeLimit           Code = "limit"
	CodeUnknownKey      Code = "unknown-key"
	CodeDuplicateKey    Code = "duplicate-key"
	CodeMissingKey      Code = "missing-key"
	CodeKind            Code = "kind"
	CodeName            Code = "name"
	CodeUnknownName     Code = "unknown-name"
	CodeDuplicateName   Code = "duplicate-name"
	CodeValue           Code = "value"
	CodeLua             Code = "lua"
	CodeRefused         Code = "refused"
	CodeProse           Code = "prose"
	CodeFaultNotAllowed Code = "fault-not-allowed"
	CodeMissingLanguage Code = "missing-language"
)

// The codes of problems that show when a lesson is played.
const (
	CodeUnmet         Code = "unmet"
	CodeCannotHappen  Code = "cannot-happen"
	CodeProgramFailed Code = "program-failed"
	CodeNoAnswer      Code = "no-answer"
	CodeNotTheSame    Code = "not-the-same"
	CodeEngine        Code = "engine"
	CodeGoal          Code = "goal"
	CodeSolution      Code = "solution"
	CodeUnproven      Code = "unproven"
)

// The codes of lessons that prove less than they could.
const (
	CodeProvesNothing  Code = "proves-nothing"
	CodeExpectsNothing Code = "expects-nothing"
	CodeIdleInvariant  Code = "idle-invariant"
	CodeIdleActor      Code = "idle-actor"
	CodeUnusedScript   Code = "unused-script"
	CodeUnusedFault    Code = "unused-fault"
	CodeLongSolution   Code = "long-solution"
	CodeIdleExpect     Code = "idle-expect"
	CodeMeanings       Code = "meanings"
	CodeUnusedNode     Code = "unused-node"
	CodeOneDraw        Code = "one-draw"
	CodeOffClock       Code = "off-clock"
)

// Codes says what each code means, in the order of the constants.
var Codes = []struct {
	Code Code
	Text string
}{
	{CodeFile, "a file is missing, cannot be read, or is not text"},
	{CodeYAML, "the file is not YAML, or uses a part of YAML that lessons may not"},
	{CodeLimit, "more, longer or deeper than a lesson may be"},
	{CodeUnknownKey, "a key that the format does not have"},
	{CodeDuplicateKey, "a key that appears twice"},
	{CodeMissingKey, "a required key is missing"},
	{CodeKind, "a text, list or mapping where a different kind is required"},
	{CodeName, "a name with characters that names cannot have"},
	{CodeUnknownName, "a name that nothing in the lesson has"},
	{CodeDuplicateName, "a name that is taken already"},
	{CodeValue, "a duration, reply, move … that does not fit where it stands"},
	{CodeLua, "Lua that does not compile"},
	{CodeRefused, "something that the embedded Redis and real servers do differently"},
	{CodeProse, "Markdown with HTML, a picture or an unsafe link"},
	{CodeFaultNotAllowed, "a fault that the lesson's faults do not allow"},
	{CodeMissingLanguage, "a text in one language only"},
	{CodeUnmet, "an expectation that does not hold"},
	{CodeCannotHappen, "a move that cannot happen at that point"},
	{CodeProgramFailed, "a program that fails before its first request"},
	{CodeNoAnswer, "a question whose answer finds nothing"},
	{CodeNotTheSame, "the same moves had a different result, the second time or on another engine"},
	{CodeEngine, "an engine or the lesson's Lua could not go on"},
	{CodeGoal, "a challenge's goal that is reached without any effort, or cannot be evaluated"},
	{CodeSolution, "a challenge's solution that does not reach the goal"},
	{CodeUnproven, "something about all schedules that a search does not find"},
	{CodeProvesNothing, "a lesson without any expectation"},
	{CodeExpectsNothing, "a beat that moves and expects nothing"},
	{CodeIdleInvariant, "an invariant that nothing in the story or the solution could break"},
	{CodeIdleActor, "an actor that never moves"},
	{CodeUnusedScript, "a script that never runs"},
	{CodeUnusedFault, "a fault that is never used"},
	{CodeLongSolution, "a challenge's solution that goes on after the goal"},
	{CodeIdleExpect, "an expectation or a question about something that never exists"},
	{CodeMeanings, "more or fewer meanings of KEYS or ARGV than a script is called with"},
	{CodeUnusedNode, "a server that is never used"},
	{CodeOneDraw, "a program whose random numbers are the same on each run"},
	{CodeOffClock, "a span in a program that is not a multiple of the clock's resolution"},
}
