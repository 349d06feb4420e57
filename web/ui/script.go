package ui

import (
	"slices"

	"lockstep/engine"
	"lockstep/lessons"
)

// scriptCall is a script and the call of it that the page shows.
type scriptCall struct {
	lessons.Script
	Exec  *engine.Exec
	Reply string
	Actor string
	Step  int // 0: it has not run
}

// shownScript is the script of the shown step; else the one that ran last, else
// the one that the story runs next, else the lesson's first, so that the panel
// is never empty without a reason.
func shownScript(v *View) scriptCall {
	if n := v.lastScript(); n > 0 {
		s := &v.Trace.Steps[n-1]
		exec, _ := s.Request.(engine.Exec)
		c := scriptCall{Script: scriptOf(v.Lesson, exec.Op.Script), Actor: s.Choice.Target, Step: n}
		if n == v.Pos {
			c.Exec, c.Reply = &exec, repliedText(v.Lang, s)
		}
		return c
	}
	if next := v.Story.Next; next != nil && next.Kind == engine.Run {
		if a, ok := v.Snapshot().Actor(next.Target); ok {
			if exec, ok := a.Next.(engine.Exec); ok && exec.Op.Script != nil {
				return scriptCall{Script: scriptOf(v.Lesson, exec.Op.Script), Exec: &exec, Actor: a.Name}
			}
		}
	}
	if len(v.Lesson.Scripts) > 0 {
		return scriptCall{Script: v.Lesson.Scripts[0]}
	}
	return scriptCall{}
}

// scriptOf adds to a script that ran what the lesson says about it.
func scriptOf(l *lessons.Lesson, ran *engine.Script) lessons.Script {
	i := slices.IndexFunc(l.Scripts, func(s lessons.Script) bool { return s.Name == ran.Name })
	if i < 0 {
		return lessons.Script{Name: ran.Name, Source: ran.Source}
	}
	s := l.Scripts[i]
	s.Source = ran.Source
	return s
}

func (c scriptCall) part() lessons.Part {
	return lessons.Part{Kind: lessons.ScriptPart, Name: c.Name}
}

func (c scriptCall) when(lang lessons.Lang) string {
	switch {
	case c.Name == "":
		return ""
	case c.Step > 0:
		return scriptRan.in(lang, c.Actor, c.Step)
	case c.Actor != "":
		return scriptNext.in(lang, c.Actor)
	}
	return scriptIdle.in(lang)
}

func meaning(lang lessons.Lang, of []lessons.Text, i int) string {
	if i < len(of) {
		return of[i].In(lang)
	}
	return ""
}
