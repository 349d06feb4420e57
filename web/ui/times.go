package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lockstep/engine"
)

// The measures of the axis on which a zset's scores stand when they are instants.
const (
	axisFrom, axisTo = 8.0, 92.0 // percent
	axisLine         = 26        // pixels
	axisFar          = 10 * time.Minute
)

// member is a member of a zset whose score is an instant of a client's clock.
type member struct {
	itemRow
	At engine.Instant
}

// membersInTime are the members of a zset, when all of their scores are instants.
func membersInTime(r keyRow) []member {
	var all []member
	for _, it := range r.Rows {
		ms, err := strconv.ParseInt(it.Value, 10, 64)
		if err != nil || ms < engine.Epoch {
			return nil
		}
		all = append(all, member{it, time.Duration(min(ms-engine.Epoch, 1<<43)) * time.Millisecond})
	}
	return all
}

// timesHTML draws a zset whose scores are instants on an axis, with the present. What lies
// far away stands at the end.
func timesHTML(v *View, r keyRow) string {
	all := membersInTime(r)
	if len(all) == 0 {
		return ""
	}
	now := v.Snapshot().Now
	from, to := now, now+time.Second
	for _, m := range all {
		from = min(from, m.At)
		if m.At < now+axisFar {
			to = max(to, m.At)
		}
	}
	at := func(t engine.Instant) float64 {
		return axisFrom + (axisTo-axisFrom)*min(1, float64(t-from)/float64(to-from))
	}
	slices.SortStableFunc(all, func(a, b member) int { return int(min(1, max(-1, a.At-b.At))) })
	var p pen
	p.write(`<svg class="times" width="100%" height="58" aria-hidden="true">`)
	p.line("rail", "0", "100%", axisLine)
	x := pc(at(now))
	p.write(`<line class="now" x1="`, x, `" x2="`, x, `" y1="14" y2="34"/>`)
	p.text("now", x, 10, actorNow.in(v.Lang))
	for i, m := range all {
		x, class := at(m.At), m.Delta.class(hueOfOwner(v, m.Name))
		p.write(`<g class="`, class, `"><circle cx="`, pc(x), `" cy="`, px(axisLine), `" r="5"/>`)
		name := m.Name[strings.LastIndex(m.Name, ":")+1:]
		if m.At > to {
			name += " ▸"
		}
		p.text("", pc(x), 44+12*(i%2), templ.EscapeString(clip(name, 8)))
		p.write(`</g>`)
	}
	p.write(`</svg>`)
	return p.String()
}
