package ui

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"lockstep/engine"
)

// written is what a step made of the keys of a node, beside its lane.
type written struct {
	Lane    int // among the diagram's
	Columns int // of leases beside it
	Parts   []valuePart
	At      engine.Instant // within a move of the clock
	y       int
}

// valuePart is one key.
type valuePart struct {
	Hue         string // of its owner; empty: it has none
	Text, Short string // Short where there is room for little
	Name        string // with which Text begins, and of which the middle is left out first
	Whole       bool   // Short stands rather than a part of Text, and nothing rather than a part of Short
	Words       bool   // Short is the page's own, of which a part tells nothing
}

// valuesOf are the values that a step wrote: of a move of the clock each at its own instant, else in one text for each node.
func (d diagram) valuesOf(v *View, s *engine.Step) []written {
	var all []written
	for i, l := range d.Lanes {
		if !l.Server {
			continue
		}
		n := len(all)
		add := func(part valuePart, at engine.Instant) {
			if len(all) == n || s.Choice.Kind == engine.Tick && all[len(all)-1].At != at {
				all = append(all, written{Lane: i, At: at, Columns: max(1, v.leases(l.Node).most[s.N])})
			}
			last := &all[len(all)-1]
			last.Parts = append(last.Parts, part)
		}
		for _, c := range s.Changes {
			if part, at := keyChange(v, s, c); part.Text != "" && c.Node == l.Node {
				add(part, at)
			}
		}
		for _, part := range claims(v, s, l.Node) {
			add(part, s.At)
		}
		slices.SortStableFunc(all[n:], func(a, b written) int { return cmp.Compare(a.At, b.At) })
	}
	for i := range all { // what belongs to an actor stands before the rest
		slices.SortStableFunc(all[i].Parts, func(a, b valuePart) int { return trueFirst(a.Hue != "", b.Hue != "") })
	}
	return all
}

// keyChange is what became of a key, and when.
func keyChange(v *View, s *engine.Step, c engine.Change) (valuePart, engine.Instant) {
	name := shortKey(c.Key)
	if e, expired := s.ExpiryOf(c); expired {
		return valuePart{Text: saidExpired.in(v.Lang, name), Short: keyExpiredShort.in(v.Lang), Words: true}, e.At
	}
	if c.New == nil && insertedOnly(*c.Old) {
		return valuePart{Hue: hue(v, c.Old.Pending.By), Name: name, Text: name + " " + rowUndone.in(v.Lang), Short: rowUndone.in(v.Lang), Words: true}, s.At
	}
	if c.New == nil {
		return valuePart{Text: keyGone.in(v.Lang, name), Short: keyGoneShort.in(v.Lang), Words: true}, s.At
	}
	part := valuePart{Name: name, Text: name + wholeValue(v, c.Old, c.New)}
	if owner := ownerOf(v, *c.New); owner != "" {
		part.Hue, part.Short = hue(v, owner), owner
	}
	if by := c.New.Pending.By; by != "" {
		part.Hue = hue(v, by)
	} else if c.Old != nil && c.Old.Pending.By != "" {
		part.Hue = hue(v, c.Old.Pending.By)
	}
	if c.Old != nil && sameValue(*c.Old, *c.New) {
		if c.New.Deadline == engine.NoDeadline {
			part.Text = name + " " + keyNoTTL.in(v.Lang)
		} else {
			part.Text = name + " " + keyLives.in(v.Lang, span(v.Lang, c.New.Deadline-s.At))
		}
	}
	part.Short = cmp.Or(part.Short, strings.TrimPrefix(part.Text, name+" "))
	part.Words = c.Old != nil && sameValue(*c.Old, *c.New) || slices.Contains([]string{rowCommitted.in(v.Lang), rowUndone.in(v.Lang), keyGoneShort.in(v.Lang)}, part.Short)
	return part, s.At
}

// sameValue tells whether only the deadlines of two keys differ.
func sameValue(a, b engine.Key) bool {
	a.Deadline = b.Deadline
	return a.Equal(b)
}

var znodeNumber = regexp.MustCompile(`[^/]*?0*(\d+)$`)

// shortKey is a key's name without what says nothing beside a lane: the zeros of a znode's number.
func shortKey(name string) string {
	if strings.HasPrefix(name, "/") {
		if at := strings.LastIndex(name, "/"); at > 0 && znodeNumber.MatchString(name[at+1:]) {
			return name[:at] + "/#" + znodeNumber.FindStringSubmatch(name[at+1:])[1]
		}
	}
	return name
}

// mostItems is how many parts of a compound value are shown.
const mostItems = 3

// wholeValue is a key's value behind its name; of a row, what has changed of it.
func wholeValue(v *View, was, now *engine.Key) string {
	var parts []string
	for _, it := range now.Items {
		parts = append(parts, itemText(v, now.Type, it))
	}
	if over := len(parts) - mostItems; over > 0 {
		parts = append(parts[:mostItems], "+"+px(over))
	}
	switch now.Type {
	case engine.StringKey:
		return " = " + clip(readable(ownerShort(v, now.Text)), 24)
	case engine.RowKey:
		return rowText(v, was, now)
	case engine.ZnodeKey:
		if owner, ok := now.Get("owner"); ok && owner != "" {
			return " " + clientOf(v.Lesson, owner)
		}
		if data, _ := now.Get("data"); data != "" {
			return " = " + clip(data, 16)
		}
		return ""
	case engine.ListKey:
		return " [" + strings.Join(parts, ", ") + "]"
	case engine.ZSetKey, engine.HashKey, engine.SetKey, engine.StreamKey:
	}
	return " {" + strings.Join(parts, ", ") + "}"
}

func itemText(v *View, of engine.KeyType, it engine.Item) string {
	name, text := readable(ownerShort(v, it.Name)), clip(readable(ownerShort(v, it.Value)), 16)
	if of == engine.ZSetKey {
		if at := epochHint(v.Lang, it.Value); at != "" {
			text = strings.TrimPrefix(at, "t = ")
		}
		return clip(name, 16) + " @" + text
	}
	if of == engine.ListKey || of == engine.SetKey { // a list has no names, a set no values
		return clip(name, 16) + text
	}
	return clip(name, 16) + " " + text
}

// readable is a text without its bytes that are no letters, as scripts pack numbers.
func readable(text string) string {
	text = strings.ToValidUTF8(text, "·")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, text)
}

// ownerShort is the actor that a text names, without the id of its process.
func ownerShort(v *View, text string) string { return cmp.Or(namedBy(v, text), text) }

// rowText is what a transaction or a statement made of a row.
func rowText(v *View, was, now *engine.Key) string {
	old, items := []engine.Item(nil), now.Items
	if was != nil {
		old = was.Items
	}
	if was != nil && was.Pending.By != "" && now.Pending.By == "" {
		if slices.Equal(items, was.Pending.Items) {
			return " " + rowCommitted.in(v.Lang)
		}
		return " " + rowUndone.in(v.Lang)
	}
	if now.Pending.By != "" {
		old, items = now.Items, now.Pending.Items
		if was != nil && was.Pending.By == now.Pending.By {
			old = was.Pending.Items
		}
		if len(items) == 0 {
			return " " + keyGoneShort.in(v.Lang)
		}
	}
	var parts []string
	for _, it := range items {
		i := slices.IndexFunc(old, func(o engine.Item) bool { return o.Name == it.Name })
		switch {
		case i >= 0 && old[i].Value != it.Value:
			parts = append(parts, it.Name+" "+clip(old[i].Value, 12)+" → "+clip(it.Value, 12))
		case i < 0 && len(old) == 0 && !strings.HasSuffix(now.Name, "/"+it.Value): // else its name says it
			parts = append(parts, it.Name+" "+clip(it.Value, 12))
		}
	}
	return " " + strings.Join(parts[:min(len(parts), mostItems)], ", ")
}

// values writes what a step made of keys.
func (p *pen) values(d diagram, all []written) {
	for _, t := range all {
		l := d.Lanes[t.Lane]
		class := "label value v" + px(min(t.Columns, mostBars))
		p.fitted(class, l.X, t.y+2, func(b breadth) string {
			return valueHTML(t.Parts, d.besideServer(b, l, t.Columns), d.servers > 1 || b.phone())
		})
	}
}

// besideServer is how many letters stand at the right of a server's leases.
func (d diagram) besideServer(b breadth, l lane, columns int) int {
	const margin, padding, bar = 17, 12, 12 // left of a value, right of the plot, and what stands on the next server's lane
	to, wide, less := l.X+l.Width, 21, margin+bar
	if l.Node == d.Lanes[len(d.Lanes)-1].Node {
		to, less = 100, margin-padding
	}
	if b.phone() || d.servers > 1 {
		wide = 14
	}
	return b.letters(l.X, to, less+wide*(columns-1))
}

// cut shortens a value, its name first, then what it was, and then of what in it.
func (part valuePart) cut(text string, room int) string {
	rest, named := strings.CutPrefix(text, part.Name)
	if named && width(text) > room {
		text = cutMiddle(part.Name, max(room-width(rest), 8)) + rest
	}
	text = firstItems(text, room)
	if _, now, _ := strings.Cut(text, " → "); width(text) > room && strings.Count(text, " → ") == 1 {
		column, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		text = firstOf([]string{column + " " + now}, room, now)
	}
	return cutMiddle(text, room)
}

// beside is a value beside that of another key, with whose name its own may begin: …:token = 1.
func (part valuePart) beside(key string) string {
	if rest, longer := strings.CutPrefix(part.Text, key); longer && width(key) > 1 {
		return "…" + rest
	}
	return part.Text
}

// firstItems is a value without its last items, if it fits so: half of one and half of another would look like one.
func firstItems(text string, room int) string {
	if width(text) <= room {
		return text
	}
	end := ""
	if strings.HasSuffix(text, "}") || strings.HasSuffix(text, "]") {
		end = text[len(text)-1:]
	}
	for at := strings.LastIndex(text, ", "); at > 0; at = strings.LastIndex(text[:at], ", ") {
		if less := text[:at] + ", …" + end; width(less) <= room {
			return less
		}
	}
	return text
}

// furtherKeys stands for the keys that have no room: a number would look like a part of a value.
const furtherKeys = ", …"

// valueHTML is as many keys as fit, and whether there are more.
func valueHTML(parts []valuePart, room int, short bool) string {
	all := ""
	for i, part := range parts {
		text := part.Text
		if i == 0 && (short || part.Whole) && width(text) > room { // of a second one the name must be there, too
			text = part.Short
			if (part.Whole || part.Words) && width(text) > room {
				return all
			}
		}
		more := ""
		if i+1 < len(parts) && room > 2*leastText && !((part.Whole || part.Words) && width(text) <= room && width(text)+width(furtherKeys) > room) {
			more = furtherKeys
		}
		if i > 0 && width(text)+2 > room-width(more) {
			text = part.beside(parts[0].Name)
		}
		if i > 0 && width(text)+2 > room-width(more) {
			if room > leastText {
				all += furtherKeys
			}
			return all
		}
		if room < min(leastText, width(text)) {
			return all // a part of it would tell nothing
		}
		text = part.cut(text, room-width(more))
		if i > 0 {
			all += "  "
			room -= 2
		}
		all += `<tspan`
		if part.Hue != "" {
			all += ` class="` + part.Hue + `"`
		}
		all += ">" + html.EscapeString(text) + "</tspan>"
		room -= width(text)
	}
	return all
}
