package lessons

import "slices"

// Way is a route through the lessons, for somebody or for some time.
type Way struct {
	Name     string
	Title    Text
	For      Text // one sentence: whom it is for, or where it leads
	Stations []Station
	After    string   // the way that is walked before; empty: none
	Known    []string // lessons whose content its readers know already
}

// Station is a lesson of a way, with those that lead aside from it.
type Station struct {
	Lesson string
	Aside  []string
}

// Lessons are the names of a way's lessons, in order.
func (w Way) Lessons() []string {
	return namesOf(w.Stations, func(s Station) string { return s.Lesson })
}

// In is the way as far as a catalog has it: somebody may have left lessons out.
func (w Way) In(catalog []*Lesson) Way {
	stations := w.Stations
	w.Stations = nil
	for _, s := range stations {
		if Find(catalog, s.Lesson) != nil {
			s.Aside = slices.DeleteFunc(slices.Clone(s.Aside), func(name string) bool { return Find(catalog, name) == nil })
			w.Stations = append(w.Stations, s)
		}
	}
	return w
}

// Find is the lesson of that name; nil: there is none.
func Find(catalog []*Lesson, name string) *Lesson {
	found, _ := find(catalog, func(l *Lesson) bool { return l.Name == name })
	return found
}

// Concern is a question that somebody may come with, and the step of a story that answers it.
type Concern struct {
	Asks   Text
	Lesson string
	Step   int
}
