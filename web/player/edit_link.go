package player

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// maxUnpacked bounds what a link's edits unfold to, in bytes: their texts, and what
// JSON adds.
const maxUnpacked = 8*maxEdits + 4<<10

// linkedEdit is an edit as links carry it.
type linkedEdit struct {
	Part   string `json:"p"`
	Of     string `json:"o"`
	Source string `json:"s"`
}

// edited is all edits in the form that links and browsers keep: JSON, deflated, in
// base64 for addresses. Without edits it is empty.
func (s *Session) edited() string {
	if s.linkCode == "" && len(s.edits)+len(s.offered) > 0 {
		s.linkCode = pack(slices.Concat(s.edits, s.offered))
	}
	return s.linkCode
}

func pack(edits []edit) string {
	list := make([]linkedEdit, len(edits))
	for i, e := range edits {
		list[i] = linkedEdit{e.Part.String(), e.Of, e.Source}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		err = errors.Join(e.Encode(list), w.Close())
	}
	if err != nil {
		panic("player: edits cannot be packed: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// unpack reads what pack writes, or says why it cannot. Whether the lesson has such
// parts is not known.
func unpack(code string) ([]edit, error) {
	packed, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil {
		return nil, fact.Of("not-base64")
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpacked+1))
	switch {
	case err != nil:
		return nil, fact.Of("damaged")
	case len(text) > maxUnpacked:
		return nil, fact.Of("too-large", maxUnpacked)
	case !utf8.Valid(text):
		return nil, fact.Of("not-text")
	}
	var list []linkedEdit
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&list) != nil || d.More() {
		return nil, fact.Of("no-list-of-edits")
	}
	var edits []edit
	for _, l := range list {
		part, ok := lessons.ParsePart(l.Part)
		if !ok {
			return nil, fact.Of("no-part-of-any", clip(l.Part))
		}
		edits = append(edits, edit{part, l.Of, normalizeNewlines(l.Source)})
	}
	return edits, nil
}

// readEdits tells the edits that a link carries apart: those to apply, and those
// that were made of another version of their text. It is all or nothing.
func (s *Session) readEdits(code string) (apply, offer []edit, err *Error) {
	if code == "" {
		return nil, nil, nil
	}
	bad := func(why error) ([]edit, []edit, *Error) {
		return nil, nil, s.refuse(CodeBadMessage, fact.Of("bad-edits", why))
	}
	all, wrong := unpack(code)
	if wrong != nil {
		return bad(wrong)
	}
	if totalSize(all) > maxEdits {
		return bad(fact.Of("long-edits", maxEdits))
	}
	seen := map[lessons.Part]bool{}
	for _, e := range all {
		original, ok := s.original.Source(e.Part)
		switch {
		case !ok:
			return bad(fact.Of("no-part", clip(e.Part.String())))
		case seen[e.Part]:
			return bad(fact.Of("part-twice", clip(e.Part.String())))
		case s.isOriginal(e.Source, original):
			continue
		}
		seen[e.Part] = true
		if err := s.checkSource(e.Part, e.Source); err != nil {
			return bad(err)
		}
		if e.Of == fingerprint(original) {
			apply = append(apply, e)
		} else {
			offer = append(offer, e)
		}
	}
	return sortByPart(s.original, apply), sortByPart(s.original, offer), nil
}
