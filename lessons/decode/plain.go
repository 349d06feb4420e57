package decode

import (
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// mostRefused bounds how often that is said of one file.
const mostRefused = 5

// refused are the parts of YAML that a lesson has no use for, with what to write instead; anchors and
// aliases could make a small file into a huge one.
var refused = map[token.Type]struct{ what, instead fact.Fact }{
	token.AnchorType:    {fact.Of("yaml-anchor"), fact.Of("yaml-drop-sign")},
	token.AliasType:     {fact.Of("yaml-alias"), fact.Of("yaml-write-again")},
	token.TagType:       {fact.Of("yaml-tag"), fact.Of("yaml-drop-sign")},
	token.MergeKeyType:  {fact.Of("yaml-merge"), fact.Of("yaml-write-keys")},
	token.DirectiveType: {fact.Of("yaml-directive"), fact.Of("yaml-drop-sign")},
}

// plain refuses tokens that a lesson never needs and nesting that no lesson has,
// before the parser, which follows nesting by recursion, sees them.
func (s *source) plain(tokens token.Tokens) lessons.Problems {
	if len(tokens) > mostTokens {
		p := tokens[mostTokens].Position
		return lessons.Problems{s.at(lessons.CodeLimit, p.Line, p.Column, endOfLine,
			fact.Of("lesson-many-tokens", mostTokens), fact.Of("lesson-split"))}
	}
	var out lessons.Problems
	depth, line, nested := 0, 0, 0
	for _, t := range tokens {
		p := t.Position
		if no, is := refused[t.Type]; is && len(out) < mostRefused {
			out = append(out, s.at(lessons.CodeYAML, p.Line, p.Column, p.Column+utf8.RuneCountInString(strings.TrimSpace(t.Origin)),
				fact.Of("lesson-cannot-have", no.what), no.instead))
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
			return append(out, s.at(lessons.CodeLimit, p.Line, p.Column, endOfLine, fact.Of("lesson-too-deep"), fact.Of("lesson-check-brackets")))
		}
	}
	return append(out, s.indented()...)
}

// indented bounds the nesting that indentation can make.
func (s *source) indented() lessons.Problems {
	for i, line := range s.lines {
		if n := len(line) - len(strings.TrimLeft(line, " ")); n > mostIndent && n < len(line) {
			return lessons.Problems{s.at(lessons.CodeLimit, i+1, n+1, endOfLine,
				fact.Of("lesson-indented", mostIndent), fact.Of("lesson-move-left"))}
		}
	}
	return nil
}
