package decode

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"lockstep/lessons"
)

// mostRefused bounds how often that is said of one file.
const mostRefused = 5

const leaveOut = "leave it out; put text that begins with one of & ! % into quotes"

// refused are the parts of YAML that a lesson has no use for, with what to write instead; anchors and
// aliases could make a small file into a huge one.
var refused = map[token.Type]struct{ what, instead string }{
	token.AnchorType:    {"an anchor (&name)", leaveOut},
	token.AliasType:     {"an alias (*name)", "write again what it stands for; put text that begins with * into quotes"},
	token.TagType:       {"a tag (!name)", leaveOut},
	token.MergeKeyType:  {"a merge key (<<)", "write the keys themselves"},
	token.DirectiveType: {"a directive (%)", leaveOut},
}

// plain refuses tokens that a lesson never needs and nesting that no lesson has,
// before the parser, which follows nesting by recursion, sees them.
func (s *source) plain(tokens token.Tokens) lessons.Problems {
	if len(tokens) > mostTokens {
		p := tokens[mostTokens].Position
		return lessons.Problems{s.at(lessons.CodeLimit, p.Line, p.Column, endOfLine,
			fmt.Sprintf("a lesson may have at most %d YAML tokens (keys, values and punctuation), and the limit is reached here", mostTokens), "split the lesson")}
	}
	var out lessons.Problems
	depth, line, nested := 0, 0, 0
	for _, t := range tokens {
		p := t.Position
		if no, is := refused[t.Type]; is && len(out) < mostRefused {
			out = append(out, s.at(lessons.CodeYAML, p.Line, p.Column, p.Column+utf8.RuneCountInString(strings.TrimSpace(t.Origin)),
				"a lesson cannot have "+no.what, no.instead))
		}
		if p.Line != line {
			line, nested = p.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if depth <= 0 {
				nested++
			}
		default:
		}
		if depth > mostDepth || nested > mostNested {
			return append(out, s.at(lessons.CodeLimit, p.Line, p.Column, endOfLine, "this is nested deeper than any lesson is", "check the brackets and dashes"))
		}
	}
	return append(out, s.indented()...)
}

// indented bounds the nesting that indentation can make.
func (s *source) indented() lessons.Problems {
	for i, line := range s.lines {
		if n := len(line) - len(strings.TrimLeft(line, " ")); n > mostIndent && n < len(line) {
			return lessons.Problems{s.at(lessons.CodeLimit, i+1, n+1, endOfLine,
				fmt.Sprintf("this line is indented by more than %d blanks", mostIndent), "move it to the left")}
		}
	}
	return nil
}
