package ui

import "github.com/a-h/templ"

// Fragment is a part of the page that a frame may replace by itself: one
// element, whose id never changes.
type Fragment struct {
	ID        string
	Component templ.Component
	Rows      []Row // elements in it, which it draws empty
}

// Row is what is in an element of a fragment that has many like it. It is sent when it
// changes, so that a run of many steps costs no more than a short one.
type Row struct{ ID, HTML string }

// Fragments is every part of the page that can change, in the order of the
// page. The page holds exactly these ids.
func Fragments(view View) []Fragment {
	return fragments(&view, layout(&view))
}

func fragments(v *View, d diagram) []Fragment {
	all := []Fragment{
		{ID: "f-engine", Component: engineSwitch(v)},
		{ID: "f-notice", Component: notice(v)},
		{ID: "f-edits", Component: edits(v)},
		{ID: "f-progress", Component: progress(v)},
		{ID: "f-now", Component: now(v)},
		{ID: "f-broken", Component: broken(v)},
		{ID: "f-why", Component: why(v)},
		{ID: "f-diff", Component: comparison(v)},
		{ID: "f-story", Component: story(v)},
		{ID: "f-challenge", Component: challenge(v)},
		{ID: "f-search", Component: searchSection(v)},
		{ID: "f-lead", Component: lead(v)},
		{ID: "f-clock", Component: clock(v)},
		{ID: "f-actors", Component: actors(v)},
		{ID: "f-faults", Component: faults(v)},
		{ID: "f-timeline", Component: timeline(v, d), Rows: d.pictures(v)},
		{ID: "f-log", Component: eventLog(v, d), Rows: d.sentences(v)},
		{ID: "f-inside", Component: inside(v)},
		{ID: "f-keys", Component: keyspace(v)},
		{ID: "f-channels", Component: channels(v)},
		{ID: "f-lines", Component: lines(v)},
		{ID: "f-call", Component: call(v)},
		{ID: "f-script", Component: script(v)},
		{ID: "f-ran", Component: ran(v)},
		{ID: "f-threads", Component: threadTabs(v)},
		{ID: "f-client", Component: client(v)},
		{ID: "f-program", Component: program(v)},
		{ID: "f-values", Component: values(v)},
		{ID: "f-transport", Component: transport(v)},
		{ID: "f-ticks", Component: ticks(v)},
		{ID: "f-scrub", Component: scrub(v)},
		{ID: "f-place", Component: place(v)},
		{ID: "f-branches", Component: branches(v)},
		{ID: "f-beside", Component: beside(v)},
	}
	if v.Author != nil {
		all = append(all, Fragment{ID: "f-title", Component: title(v)}, Fragment{ID: "f-proof", Component: v.Author.Proof})
	}
	return all
}
