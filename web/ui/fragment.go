package ui

import "github.com/a-h/templ"

// Fragment is a part of the page that a frame may replace by itself: one
// element, whose id never changes.
type Fragment struct {
	ID        string
	Component templ.Component
	Rows      []Row // elements in it, which it draws empty
	Lab       bool  // nothing of it is seen, and no key presses a button in it, while a story is told
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
		{ID: "f-engine", Component: engineSwitch(v), Lab: true},
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
		{ID: "f-actors", Component: actors(v, d.Whole), Rows: heads(v)},
		{ID: "f-faults", Component: faults(v), Lab: true},
		{ID: "f-timeline", Component: timeline(v, d), Rows: d.pictures(v)},
		{ID: "f-log", Component: eventLog(v, d), Rows: d.sentences(v)},
		{ID: "f-inside", Component: inside(v), Lab: true},
		{ID: "f-keys", Component: keyspace(v), Lab: true},
		{ID: "f-channels", Component: channels(v), Lab: true},
		{ID: "f-lines", Component: lines(v)},
		{ID: "f-call", Component: call(v), Lab: true},
		{ID: "f-script", Component: script(v), Lab: true},
		{ID: "f-ran", Component: ran(v), Lab: true},
		{ID: "f-threads", Component: threadTabs(v), Lab: true},
		{ID: "f-client", Component: client(v), Lab: true},
		{ID: "f-program", Component: program(v), Lab: true},
		{ID: "f-values", Component: values(v), Lab: true},
		{ID: "f-transport", Component: transport(v)},
		{ID: "f-ticks", Component: ticks(v), Lab: true},
		{ID: "f-scrub", Component: scrub(v), Lab: true},
		{ID: "f-place", Component: place(v), Lab: true},
		{ID: "f-branches", Component: branches(v), Lab: true},
		{ID: "f-beside", Component: beside(v)},
	}
	if v.Author != nil {
		all = append(all, Fragment{ID: "f-title", Component: title(v)}, Fragment{ID: "f-proof", Component: v.Author.Proof})
	}
	return all
}
