package draft

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// taken is how a program takes the lock, and the condition that tells that it has.
func (d *drafted) taken() (takes, condition string) {
	switch {
	case d.take == nil:
		return "", fmt.Sprintf(`redis.call("SET", %q, me, "NX", "PX", %d) == "OK"`, lockKey, leaseMS)
	case !d.excludes():
		return d.take.callLua(""), "true"
	case d.second.IsError():
		return "local took = " + d.take.callLua("pcall"), "took"
	}
	return "local reply = " + d.take.callLua(""), d.condition()
}

// readsClock tells whether a program must read its clock before it takes the lock.
func (d *drafted) readsClock() bool {
	if d.take == nil {
		return false
	}
	reads := func(r role) bool { return r == nowS || r == nowWholeS || r == deadlineS || r == cutoff }
	for _, is := range d.take.values { // where no stamp can stand
		if reads(is) || is == now || is == deadline {
			return true
		}
	}
	return d.take.current > 0 || slices.ContainsFunc(d.take.roles, reads)
}

// begins are the first lines of a program that reads its clock. A program runs up to its first request at time 0, however
// late that request is performed: a PING before makes it read the clock when its client begins.
func (d *drafted) begins() []string {
	if !d.readsClock() {
		return nil
	}
	lines := []string{`redis.call("PING") -- so the clock is read when the client begins`}
	if d.take.current > 0 {
		lines = append(lines, fmt.Sprintf("local window = math.floor(now() / %d)", windowSize.Milliseconds()))
	}
	return lines
}

// program is what each of the two clients does.
func (d *drafted) program() string {
	if d.commands != nil {
		return d.commands.program()
	}
	lines := d.begins()
	takes, condition := d.taken()
	if takes != "" {
		lines = append(lines, takes)
	}
	if d.span > 0 {
		return d.limited(lines, condition)
	}
	if d.once() {
		return strings.Join(append(lines, "if "+condition+" then", "  "+gotLua, "else", fmt.Sprintf("  refused(%q)", d.section()), "end"), "\n")
	}
	inside := []string{fmt.Sprintf("enter(%q)", d.section()), `work("3s")`}
	if d.extend != nil {
		inside = append(inside, d.extend.callLua(""), `work("3s")`)
	}
	inside = append(inside, fmt.Sprintf("leave(%q)", d.section()))
	if d.give != nil {
		inside = append(inside, d.give.callLua(""))
	}
	if condition == "true" {
		return strings.Join(append(lines, inside...), "\n")
	}
	return strings.Join(append(lines, "if "+condition+" then", "  "+strings.Join(inside, "\n  "), "else", fmt.Sprintf("  refused(%q)", d.section()), "end"), "\n")
}

// source is the file that the scripts come from.
func (d *drafted) source() string {
	if d.commands != nil {
		return path.Base(d.commands.File)
	}
	return path.Base(d.played()[0].File)
}
