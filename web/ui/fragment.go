package ui

import "github.com/a-h/templ"

// Fragment is a part of the page that a frame may replace by itself: one
// element, whose id never changes.
type Fragment struct {
	ID        string
	Component templ.Component
}

// Fragments is every part of the page that can change, in the order of the
// page. The page holds exactly these ids.
func Fragments(view View) []Fragment {
	v := &view // shared by all of them
	d := layout(v)
	all := []Fragment{
		{"f-engine", engineSwitch(v)},
		{"f-notice", notice(v)},
		{"f-edits", edits(v)},
		{"f-progress", progress(v)},
		{"f-now", now(v)},
		{"f-broken", broken(v)},
		{"f-why", why(v)},
		{"f-diff", comparison(v)},
		{"f-story", story(v)},
		{"f-challenge", challenge(v)},
		{"f-search", search(v)},
		{"f-lead", lead(v)},
		{"f-clock", clock(v)},
		{"f-actors", actors(v)},
		{"f-faults", faults(v)},
		{"f-timeline", timeline(v, d)},
		{"f-log", eventLog(v, d)},
		{"f-inside", inside(v)},
		{"f-keys", keyspace(v)},
		{"f-channels", channels(v)},
		{"f-lines", lines(v)},
		{"f-call", call(v)},
		{"f-script", script(v)},
		{"f-ran", ran(v)},
		{"f-threads", threadTabs(v)},
		{"f-client", client(v)},
		{"f-program", program(v)},
		{"f-values", values(v)},
		{"f-transport", transport(v)},
		{"f-ticks", ticks(v)},
		{"f-scrub", scrub(v)},
		{"f-place", place(v)},
		{"f-branches", branches(v)},
		{"f-beside", beside(v)},
	}
	if v.Author != nil {
		all = append(all, Fragment{"f-title", title(v)})
	}
	return all
}
