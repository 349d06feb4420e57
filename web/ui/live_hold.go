package ui

import (
	"slices"
	"strings"
	"time"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node/redis/clients"
)

// scriptName is what the page calls a script: what it does, or how it begins.
func scriptName(lang lessons.Lang, s clients.Script) string {
	says := clip(s.Line, 32)
	if s.Does != nil {
		says = Tell(lang, s.Does)
	}
	return liveScriptName.in(lang, says, s.SHA[:8])
}

// scriptName is that of the script of a rule, if it has been seen.
func (l *Live) scriptName(sha string) string {
	i := slices.IndexFunc(l.Scripts, func(s clients.Script) bool { return s.SHA == sha })
	if i < 0 {
		return sha
	}
	return scriptName(l.Lang, l.Scripts[i])
}

// ruleText says what a rule matches.
func (l *Live) ruleText(r clients.Rule) string {
	lang := l.Lang
	var parts []string
	if r.Command != "" {
		parts = append(parts, strings.ToUpper(r.Command))
	}
	for _, p := range []struct {
		say  msg
		what string
	}{{liveRuleKey, r.Key}, {liveRuleScript, l.scriptName(r.Script)}, {liveRuleClient, r.Client}} {
		if p.what != "" {
			parts = append(parts, p.say.in(lang, p.what))
		}
	}
	if len(parts) == 0 {
		return liveRuleAny.in(lang)
	}
	return strings.Join(parts, " · ")
}

// heldHeight is how much room a held request has on its lane.
const heldHeight = 84

// heldBox is a held request with its place below the lanes.
type heldBox struct {
	clients.Held
	For      time.Duration // it has been held
	Hue      string
	X, Width float64
	Y        int
}

// heldBoxes are the held requests of clients that have a lane, the first of each on top.
func (l *Live) heldBoxes() (boxes []heldBox, height int) {
	rows := map[string]int{}
	all, _ := lanes(&l.View)
	now := l.Whole.At(len(l.Whole.Steps)).Now
	for _, of := range all {
		for _, h := range l.Held {
			if of.Server || of.Name != h.Actor {
				continue
			}
			y := heldHeight * rows[h.Actor]
			rows[h.Actor]++
			height = max(height, y+heldHeight)
			boxes = append(boxes, heldBox{h, max(now-h.Since, 0), of.Hue, of.X - of.Width/2, of.Width, y})
		}
	}
	return boxes, height
}

// mostGaveUp is how many clients that gave up are told of.
const mostGaveUp = 3

// gaveUp are the last steps up to the shown one in which a client hung up while its request
// was held, the newest first.
func (l *Live) gaveUp() (steps []*engine.Step) {
	for n := l.Now; n > 0 && len(steps) < mostGaveUp; n-- {
		if s := &l.Whole.Steps[n-1]; s.NoReply == engine.RequestLost {
			steps = append(steps, s)
		}
	}
	return steps
}
