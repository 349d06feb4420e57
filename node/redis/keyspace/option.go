package keyspace

import "strings"

// option is one that takes no value: its name, and where it is noted.
type option struct {
	name string
	on   *bool
}

// note notes an argument if it is one of these options; false: it is none.
func note(arg string, known []option) bool {
	for _, o := range known {
		if strings.EqualFold(arg, o.name) {
			*o.on = true
			return true
		}
	}
	return false
}
