package ui

import (
	"html"
	"strings"

	"lockstep/engine"
	"lockstep/lessons"
)

// followedLines are what the shown step's script did, as far as the learner has walked; nil when
// that is not known.
func followedLines(v *View) (in *engine.Inside, lines []engine.Line) {
	in = v.Followed
	if s := v.Step(); s != nil && s.Inside != nil {
		in = s.Inside
	}
	switch {
	case in == nil:
		return nil, nil
	case v.Line > 0:
		return in, in.Lines[:v.Line]
	}
	return in, in.Lines
}

// shownSource is the script as its lines are numbered.
func shownSource(v *View) string {
	if in, _ := followedLines(v); in != nil {
		return in.Shown
	}
	return shownScript(v).Source
}

// ranHere is what a step did on one line of its script.
type ranHere struct {
	Replies []string // of the calls on it, in order
	Failed  bool     // the last of them
}

func ranLines(lines []engine.Line) map[int]ranHere {
	all := map[int]ranHere{}
	for _, l := range lines {
		r := all[l.Line]
		if l.Call != nil {
			r.Replies, r.Failed = append(r.Replies, l.Call.Reply), l.Call.Failed
		}
		all[l.Line] = r
	}
	return all
}

// mostReplies is how many replies stand beside one line: of a loop, the last ones.
const mostReplies = 3

func (r ranHere) text() string {
	over := max(len(r.Replies)-mostReplies, 0)
	text := joined(r.Replies[over:], ", ", func(reply string) string { return clip(reply, 32) })
	if over > 0 {
		text = "…, " + text
	}
	return text
}

// ranHTML has an element for each line of the script, so that they stand side by side.
func ranHTML(v *View) string {
	in, lines := followedLines(v)
	if in == nil {
		return ""
	}
	ran := ranLines(lines)
	var b strings.Builder
	for n := range strings.Count(strings.TrimRight(in.Shown, "\n"), "\n") + 1 {
		r, did := ran[n+1]
		switch {
		case !did:
			b.WriteString("<i></i>")
		case len(r.Replies) == 0:
			b.WriteString(`<i class="on"></i>`)
		default:
			b.WriteString(`<i class="` + with("on said", r.Failed, "failed") + `"><span class="sr">` + ranOnLine.in(v.Lang, n+1) + `</span><code>` + html.EscapeString(r.text()) + `</code></i>`)
		}
	}
	return b.String()
}

// codeAtFirst is whose code a lesson opens with: one with plain commands has none in Redis.
func codeAtFirst(l *lessons.Lesson) string {
	if len(l.Scripts) == 0 {
		return "client"
	}
	return "server"
}
