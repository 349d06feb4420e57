package highlight

import (
	"regexp"
	"strings"
)

var (
	// prompt is what redis-cli writes before a command.
	prompt = regexp.MustCompile(`^(\S*> ?)`)
	// token is a word of a command or a reply, or what stands between two of them.
	token = regexp.MustCompile(`\s+|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[^\s"']+`)

	number  = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	option  = regexp.MustCompile(`^[A-Z]{2,}$`) // NX, WITHSCORES
	command = regexp.MustCompile(`^[A-Za-z][A-Za-z.-]*$`)
	// frame is what a line of RESP, or of a reply in redis-cli, begins with.
	frame = regexp.MustCompile(`^([+:$*_#,%~>-]\S*|\((?:integer|nil|error|double|true|false|empty [a-z ]+)\)|[0-9]+[)#~])(\s|$)`)
)

// RedisLines splits commands and replies, as redis-cli or RESP has them, into lines
// of tokens. Where some lines have a prompt, only those are commands.
func RedisLines(source string) [][]Token {
	var l lines
	text := strings.Split(strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n"), "\n")
	prompted := false
	for _, line := range text {
		prompted = prompted || prompt.MatchString(line)
	}
	for i, line := range text {
		if i > 0 {
			l.add("", "\n")
		}
		p := prompt.FindString(line)
		l.add("", p)
		l.redis(line[len(p):], !prompted || p != "")
	}
	return l.all()
}

// redis adds one line; sent tells whether it may be a command.
func (l *lines) redis(line string, sent bool) {
	switch {
	case strings.HasPrefix(strings.TrimSpace(line), "#"):
		l.add(Comment, line)
		return
	case frame.MatchString(line):
		head := frame.FindStringSubmatch(line)[1]
		l.add(Keyword, head)
		line, sent = line[len(head):], false
	}
	first := true
	for _, t := range token.FindAllString(line, -1) {
		if strings.TrimSpace(t) == "" {
			l.add("", t)
			continue
		}
		l.add(redisClass(t, sent && first), t)
		first = false
	}
}

func redisClass(t string, first bool) string {
	switch {
	case first && command.MatchString(t):
		return Redis
	case t[0] == '"' || t[0] == '\'':
		return String
	case number.MatchString(t):
		return Number
	case option.MatchString(t):
		return Keyword
	}
	return ""
}
