package lessons

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/luaexec"
)

// Part names one of the texts of Lua that a lesson is made of.
type Part struct {
	Kind PartKind
	Name string
}

// PartKind is what a Part is.
type PartKind string

// The parts of a lesson.
const (
	ScriptPart  PartKind = "script"  // a server-side script
	ClientPart  PartKind = "client"  // the lock client
	ProgramPart PartKind = "program" // of an actor
)

// String is the part as ParsePart reads it: script:unlock.
func (p Part) String() string { return string(p.Kind) + ":" + p.Name }

// ParsePart reads what String writes. Whether a lesson has such a part is not known.
func ParsePart(text string) (p Part, ok bool) {
	kind, name, ok := strings.Cut(text, ":")
	return Part{Kind: PartKind(kind), Name: name}, ok
}

// Parts are all that the lesson has: its scripts, its lock client, its programs.
func (l *Lesson) Parts() []Part {
	var parts []Part
	for _, s := range l.Scripts {
		parts = append(parts, Part{ScriptPart, s.Name})
	}
	if l.Client.Name != "" {
		parts = append(parts, Part{ClientPart, l.Client.Name})
	}
	for _, a := range l.Actors {
		parts = append(parts, Part{ProgramPart, a.Name})
	}
	return parts
}

// Source is the text of a part, if the lesson has it.
func (l *Lesson) Source(p Part) (source string, ok bool) {
	at := l.text(p)
	if at == nil {
		return "", false
	}
	return *at, true
}

// With is the lesson with a different text for one of its parts. Its hash stays the same, so
// that schedules of the lesson can still be played.
func (l *Lesson) With(p Part, source string) *Lesson {
	edited := *l
	edited.Scripts = slices.Clone(l.Scripts)
	edited.Actors = slices.Clone(l.Actors)
	if at := edited.text(p); at != nil {
		*at = source
	}
	return &edited
}

func (l *Lesson) text(p Part) *string {
	switch p.Kind {
	case ScriptPart:
		if i := slices.IndexFunc(l.Scripts, func(s Script) bool { return s.Name == p.Name }); i >= 0 {
			return &l.Scripts[i].Source
		}
	case ClientPart:
		if l.Client.Name == p.Name && p.Name != "" {
			return &l.Client.Source
		}
	case ProgramPart:
		if i := slices.IndexFunc(l.Actors, func(a Actor) bool { return a.Name == p.Name }); i >= 0 {
			return &l.Actors[i].Program
		}
	}
	return nil
}

// Compiles checks a text for a part without running it. Its error is a *luaexec.SyntaxError.
func (p Part) Compiles(source string) error {
	if p.Kind == ScriptPart {
		return luaexec.Check(engine.Script{Name: p.Name, Source: source})
	}
	_, err := luaexec.Compile(p.Name, source)
	return err
}

// File is one of the texts that a lesson is read from. Its name is that in the
// lesson's folder; clients/ lies beside that folder.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Of   string `json:"of,omitempty"` // fingerprint of the file as it was opened; empty: it is new, or its fingerprint covers several files
}

// Fingerprint tells two versions of a lesson's files apart.
func Fingerprint(files []File) string {
	var all []byte
	for _, f := range files {
		all = fmt.Appendf(all, "%d:%s,%d:%s;", len(f.Name), f.Name, len(f.Text), f.Text)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:8])
}
