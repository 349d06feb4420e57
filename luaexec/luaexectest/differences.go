package luaexectest

import "regexp"

// difference is where nodes differ on purpose: what matches is shown as one text.
type difference struct {
	answer *regexp.Regexp
	shown  string
	reason string
}

var differences = []difference{
	{
		regexp.MustCompile(`^\(error\) ERR .*(budget|Script killed by user).*$`),
		"(error) (the script ran on and was ended)",
		"a real server's script is killed after real time, an embedded one's after so many instructions",
	},
	{
		regexp.MustCompile(`(ERR Error compiling script \(new function\): user_script:\d+: ).*$`),
		"${1}(what the parser says)",
		"the embedded engine's parser words its messages in its own way, for the same line",
	},
	{
		regexp.MustCompile(`attempt to index (local 't' \(a nil value\)|a nil value)`),
		"attempt to index (a nil value)",
		"the embedded engine does not know the names of what is indexed",
	},
	{
		regexp.MustCompile(`Unknown command called from script`),
		"Unknown Redis command called from script",
		"Valkey took the name out of Redis's messages",
	},
	{
		regexp.MustCompile(`Wrong number of args calling command from script`),
		"Wrong number of args calling Redis command from script",
		"Valkey took the name out of Redis's messages",
	},
	{
		regexp.MustCompile(`ERR Command arguments must be strings or integers`),
		"ERR Lua redis lib command arguments must be strings or integers",
		"Valkey took the name out of Redis's messages",
	},
	{
		regexp.MustCompile(`NOSCRIPT No matching script\.$`),
		"NOSCRIPT No matching script. Please use EVAL.",
		"Valkey shortened the message",
	},
	{
		regexp.MustCompile(`"0\.1"`),
		`"0.10000000000000001"`,
		"from 7.2 on numbers of a script are written in their shortest form",
	},
}

// shown is a line of an answer as cases have it.
func shown(line string) string {
	for _, d := range differences {
		line = d.answer.ReplaceAllString(line, d.shown)
	}
	return line
}
