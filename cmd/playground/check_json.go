package main

import (
	"io"

	"lockstep/lessons"
)

// The document of check --json. Keys are only ever added to it; what changes
// otherwise gets another version.
type checkedJSON struct {
	Version  int                 `json:"version"`
	OK       bool                `json:"ok"`
	Engines  []string            `json:"engines"`
	Lessons  []checkedLessonJSON `json:"lessons"`
	Problems []problemJSON       `json:"problems"`
}

type checkedLessonJSON struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	OK       bool   `json:"ok"`
	Steps    int    `json:"steps"`    // of the story
	Solution int    `json:"solution"` // steps of the challenges' solutions, in all; 0: there are none
}

type problemJSON struct {
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Col      int              `json:"col"`
	EndCol   int              `json:"endCol"`
	Severity lessons.Severity `json:"severity"`
	Code     lessons.Code     `json:"code"`
	Message  string           `json:"message"`
	Advice   string           `json:"advice,omitempty"`
	Want     string           `json:"want,omitempty"`
	Got      string           `json:"got,omitempty"`
	Lesson   string           `json:"lesson,omitempty"`
	Engine   string           `json:"engine,omitempty"`
}

func (s *summary) json(w io.Writer, stages []target) error {
	doc := checkedJSON{Version: 1, OK: s.err() == nil, Engines: []string{}, Lessons: []checkedLessonJSON{}, Problems: []problemJSON{}}
	for _, st := range stages {
		doc.Engines = append(doc.Engines, st.name)
	}
	add := func(p *lessons.Problem, lesson, engine string) {
		doc.Problems = append(doc.Problems, problemJSON{
			File: p.File, Line: p.Line, Col: p.Col, EndCol: p.EndCol, Severity: p.Severity, Code: p.Code,
			Message: p.Message.Error(), Advice: p.Advice.Error(), Want: p.Want.Error(), Got: p.Got.Error(), Lesson: lesson, Engine: engine,
		})
	}
	for _, p := range s.broken {
		add(p, "", "")
	}
	for _, v := range s.verdicts {
		l := checkedLessonJSON{Name: v.lesson.Name, File: v.lesson.File, OK: v.ok(), Steps: v.played[0].report.Steps}
		for _, solution := range v.played[0].report.Solutions {
			if solution != nil {
				l.Solution += len(solution.Steps)
			}
		}
		doc.Lessons = append(doc.Lessons, l)
		for _, played := range v.played {
			of := len(played.problems) - played.alone
			for i, p := range played.problems {
				engine := played.engine
				if i >= of {
					engine = ""
				}
				add(p, v.lesson.Name, engine)
			}
		}
	}
	return writeJSON(w, doc)
}
