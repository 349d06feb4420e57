package syntax

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Kind is what a token is: the byte of a symbol, or one of the constants.
type Kind int32

// The keywords, the symbols of several bytes, and the kinds whose tokens have varying text.
const (
	TokAnd Kind = iota + 257
	TokBreak
	TokDo
	TokElse
	TokElseif
	TokEnd
	TokFalse
	TokFor
	TokFunction
	TokGoto // of later versions of Lua: gopher-lua has it
	TokIf
	TokIn
	TokLocal
	TokNil
	TokNot
	TokOr
	TokRepeat
	TokReturn
	TokThen
	TokTrue
	TokUntil
	TokWhile
	TokConcat
	TokDots
	TokEqual
	TokGreaterEqual
	TokLessEqual
	TokUnequal
	TokNumber
	TokName
	TokString
	TokEOF
	TokComment
)

var kindNames = [...]string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
	"not", "or", "repeat", "return", "then", "true", "until", "while", "..", "...", "==", ">=", "<=", "~=",
	"<number>", "<name>", "<string>", "<eof>", "<comment>",
}

var words = func() map[string]Kind {
	words := map[string]Kind{}
	for k := TokAnd; k <= TokWhile; k++ {
		words[k.String()] = k
	}
	return words
}()

func (k Kind) String() string {
	switch {
	case k >= TokAnd:
		return kindNames[k-TokAnd]
	case k < ' ' || k == 127:
		return fmt.Sprintf("char(%d)", int(k))
	}
	return string([]byte{byte(k)})
}

// IsWord tells whether a text is a keyword.
func IsWord(text string) bool { return words[text] > 0 }

// IsWord tells whether the token is a keyword.
func (k Kind) IsWord() bool { return TokAnd <= k && k <= TokWhile }

// IsComparison tells whether the token is a comparison operator.
func (k Kind) IsComparison() bool { return k == '<' || k == '>' || TokEqual <= k && k <= TokUnequal }

// Token is a piece of a source, from one byte up to another, which is excluded. Between
// tokens are only white space and comments.
type Token struct {
	Kind           Kind
	Start, End     int32
	Line, LastLine int32  // from 1; a string may hold line breaks
	value          string // of a string
	err            *Error // the token is invalid
}

// Error says why a source does not compile.
type Error struct {
	Chunk   string
	Line    int // from 1
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Chunk, e.Line, e.Message) }

var nearToken = regexp.MustCompile(`near '(.+)'$`)

// Columns are where the word that the message names begins and ends in the text of its
// line: 1 is the first character. If that is unclear, start is the beginning of the line
// and end is 0.
func (e *Error) Columns(line string) (from, end int) {
	at := len(line) - len(strings.TrimLeft(line, " \t"))
	if m := nearToken.FindStringSubmatch(e.Message); m != nil && strings.Count(line, m[1]) == 1 {
		at = strings.Index(line, m[1])
		end = 1 + utf8.RuneCountInString(line[:at+len(m[1])])
	}
	return 1 + utf8.RuneCountInString(line[:at]), end
}
