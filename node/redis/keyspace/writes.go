package keyspace

// Places says which arguments are keys: First to Last in steps of Step, where a
// negative Last counts from the end.
type Places struct{ First, Last, Step int }

// Writes yields the commands that change keys, in the order of the command table.
// Commands whose keys depend on their arguments, such as EVAL, are left out.
func Writes(yield func(name string, keys Places) bool) {
	for _, f := range families {
		for _, c := range f.rows {
			if c.flags&Write != 0 && c.keys.first > 0 && !yield(c.name, Places{c.keys.first, c.keys.last, c.keys.step}) {
				return
			}
		}
	}
}
