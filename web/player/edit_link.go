package player

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

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
func unpack(code string) (edits []edit, wrong lessons.Text) {
	packed, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil {
		return nil, lessons.Text{En: "it is not base64", Zh: "不是 base64 编码"}
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpacked+1))
	switch {
	case err != nil:
		return nil, lessons.Text{En: "it is damaged or cut off", Zh: "内容已损坏或不完整"}
	case len(text) > maxUnpacked:
		return nil, lessons.Text{En: fmt.Sprintf("it unpacks to more than %d bytes", maxUnpacked), Zh: fmt.Sprintf("解压后超过 %d 字节", maxUnpacked)}
	case !utf8.Valid(text):
		return nil, lessons.Text{En: "it is not text", Zh: "不是文本"}
	}
	var list []linkedEdit
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&list) != nil || d.More() {
		return nil, lessons.Text{En: "it is not a list of edits", Zh: "不是修改列表"}
	}
	for _, l := range list {
		part, ok := lessons.ParsePart(l.Part)
		if !ok {
			return nil, lessons.Text{En: fmt.Sprintf("%q is not part of a lesson", clip(l.Part)), Zh: fmt.Sprintf("%q 不是课程的组成部分", clip(l.Part))}
		}
		edits = append(edits, edit{part, l.Of, normalizeNewlines(l.Source)})
	}
	return edits, lessons.Text{}
}

// readEdits tells the edits that a link carries apart: those to apply, and those
// that were made of another version of their text. It is all or nothing.
func (s *Session) readEdits(code string) (apply, offer []edit, err *Error) {
	if code == "" {
		return nil, nil, nil
	}
	bad := func(why string) ([]edit, []edit, *Error) {
		return nil, nil, &Error{Code: CodeBadMessage, Msg: s.messages().badEdits(why)}
	}
	all, wrong := unpack(code)
	if wrong != (lessons.Text{}) {
		return bad(wrong.In(s.lang))
	}
	if totalSize(all) > maxEdits {
		return bad(s.messages().overLongEdits())
	}
	seen := map[lessons.Part]bool{}
	for _, e := range all {
		original, ok := s.original.Source(e.Part)
		switch {
		case !ok:
			return bad(s.messages().noPart(e.Part.String()))
		case seen[e.Part]:
			return bad(s.messages().twice(e.Part.String()))
		case s.isOriginal(e.Part, e.Source, original):
			continue
		}
		seen[e.Part] = true
		if err := s.checkSource(e.Part, e.Source); err != nil {
			return bad(err.Msg)
		}
		if e.Of == fingerprint(original) {
			apply = append(apply, e)
		} else {
			offer = append(offer, e)
		}
	}
	return sortByPart(s.original, apply), sortByPart(s.original, offer), nil
}
