package fact

// English is what errors, traces and the command line say. Pages say it too, and in
// Chinese what web/ui has for the same codes.
var English = Words{
	// Of every layer.
	"text": "%s",
	"and":  " and ",

	// Why a choice cannot happen now.
	"sleeping":      "it sleeps until %s",
	"waiting":       "it waits for a message on %s",
	"waiting-until": "it waits for a message on %s until %s",
	"paused":        "the process %s is paused",
	"crashed":       "the process %s has crashed",
	"done":          "its program has ended",
	"failed":        "its program failed: %s",
	"nothing-due":   "no timer or deadline lies ahead",
	"not-paused":    "the process %s is not paused",
	"no-message":    "no message waits in %s",
	"too-far":       "the clock cannot move by %s",
	"unknown":       "this lesson has no %s",
	"not-enabled":   "%q cannot happen now: %s",

	// Why a program broke off, besides what Lua says.
	"says-too-much":         "says more than %d KB in a row",
	"never-asks":            "did %d things in a row without sending a request or waiting",
	"no-node":               "there is no node %q in this lesson",
	"not-subscribed":        "waits for a message on %q without having subscribed to it",
	"not-inside":            "leaves the section %q without being inside",
	"task-name":             "%q is not a name for a task: letters, digits, - and _",
	"task-runs":             "a task %q is running already",
	"too-many-tasks":        "has %d tasks, and may have no more",
	"too-many-instructions": "ran more than the %d instructions that a program may run",
	"too-much-memory":       "uses more than the %d MB of memory that a program may use",
	"no-request":            "the program yielded something that is not a request",
	"interpreter-gave-up":   "the interpreter gave up: %v",

	// How the engine's invariants break, and a lesson's own.
	"mutual-exclusion":     "%s are inside %q at the same time",
	"no-lock-without-ttl":  "the lock %q has no TTL: if its holder dies, the lock stays forever",
	"released-by-holder":   "%s removed the lock %q while %s was inside",
	"waiters-in-order":     "%s entered %q before %s, which has waited longer",
	"nobody-waits-forever": "%s waits, and nothing can wake it any more",
	"rule-broken":          "%s no longer holds",

	// Why a run cannot go on.
	"node-not-reset":  "node %s could not be reset: %s",
	"run-ended":       "the run was ended: %s",
	"too-many-steps":  "a run ends after %d steps: go back, or reset the lesson",
	"too-many-timers": "moving the clock by %s passes more than %d timers: move it by less",
	"off-clock":       "the clock of this lesson moves in steps of %s: %s is not a multiple of it",
	"step-too-big":    "its reply and the data on the servers take about %d KB, and %d KB can be shown",
	"run-too-big":     "all steps together would hold more than %d MB: go back, or start over",

	// Choices, spans and schedules that cannot be read.
	"no-kind":           "%q is not a choice: write %s or %s",
	"no-target":         `%q needs the name of an actor or a process, as in "run A"`,
	"no-choice":         "%q is not a choice",
	"no-fault":          "%q is not a fault",
	"no-span":           "%q is not a duration: write it as 30s or 1500ms",
	"span-not-positive": "the duration %s must be more than zero",
	"span-too-long":     "the duration %s is over the limit of %s",
	"span-too-fine":     "the duration %s must be a whole number of milliseconds",
	"no-schedule":       "%q is not a schedule: it begins with %s. and the lesson's hash",
	"schedule-part":     "part %d of the schedule: %s",
	"schedule-repeats":  "%q repeats %q times: write a number from 1 to %d",
	"schedule-too-long": "the schedule is longer than %d choices",

	// What a lesson expected, and what came.
	"reply":         "reply",
	"key":           "key %s",
	"key-on":        "key %s on %s",
	"ttl-of":        "%s's TTL",
	"inside":        "inside %s",
	"status-of":     "status of %s",
	"messages":      "messages",
	"woke":          "woke",
	"broken":        "broken",
	"program-of":    "program of %s",
	"exists":        "it exists",
	"no-such-key":   "there is no such key",
	"no-such-actor": "there is no such actor now",
	"gone":          "gone",
	"nobody":        "nobody",
	"none":          "none",
	"nothing":       "nothing",
	"no-reply":      "no reply",
	"goes-on":       "it goes on",
	"it-failed":     "it failed: %s",
	"error-with":    "an error with %s",
	"of-type":       "a %s",
	"has-left":      "%s; the program of %s has ended, and with it left",
	"broken-how":    "%s (%s)",
}
