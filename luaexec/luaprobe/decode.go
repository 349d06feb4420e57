package luaprobe

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/reply"
)

const format = "lockstep probe 1"

// Decode reads the reply of Probe.Text. It is an array of
//
//	format, number of events, values, loops, passes, events, "return"[, reply]
//	format, number of events, values, loops, passes, events, "error", statement, [text, call or 0, place…]
//
// where the reply is missing if the script returned nil. Values are strings in the
// form of Datum. The others are arrays of integers, which name each other, and the
// statements, loops and calls of the script, by their index from 1:
//
//	loop   loop of the script, number of passes
//	pass   enclosing pass or 0, loop, number
//	event  number, pass or 0, statement, value…
//	event  number, pass or 0, 0, call or 0, 1 of a pcall, number of arguments, reply, argument…,
//	       and then for each key that was read: key, type, pttl, elements
//
// An error reply in place of the array, such as that of a script that was killed,
// is a report without events.
func (p *Probe) Decode(answer reply.Reply) (Report, error) {
	if answer.Kind == reply.Error {
		text := strings.ReplaceAll(answer.Str, engine.SHA1(p.Text), engine.SHA1(p.Source))
		return Report{Reply: reply.OfError(text)}, nil
	}
	a := answer.Elems
	if answer.Kind != reply.Array || len(a) < 7 || a[0].Str != format {
		return Report{}, errors.New("the script answered with no report: it is not one that Rewrite has made")
	}
	d := &decoder{probe: p}
	report := Report{Total: int(a[1].Int)}
	if err := d.decode(&report, a[2:6]); err != nil {
		return Report{}, err
	}
	switch {
	case a[6].Str == "return" && len(a) == 7:
	case a[6].Str == "return" && len(a) == 8:
		report.Reply = a[7]
	case a[6].Str == "error" && len(a) == 9 && len(a[8].Elems) > 1:
		report.Reply = reply.OfError(p.failure(int(a[7].Int), a[8].Elems))
	default:
		return Report{}, fmt.Errorf("the report ends with %q and %d elements", a[6].Str, len(a))
	}
	return report, nil
}

type decoder struct {
	probe  *Probe
	values []Datum
	around [][]Pass // by pass: those that an event in it is in
}

func (d *decoder) decode(report *Report, lists []reply.Reply) error {
	for _, v := range lists[0].Elems {
		value, err := decodeDatum(v.Str)
		if err != nil {
			return err
		}
		d.values = append(d.values, value)
	}
	for _, l := range lists[1].Elems {
		n := integers(l)
		if len(n) != 2 || n[0] < 1 || n[0] > d.probe.Loops {
			return fmt.Errorf("the report has a loop %v", n)
		}
		report.Loops = append(report.Loops, Loop{n[0] - 1, n[1]})
	}
	d.around = [][]Pass{nil}
	for _, pass := range lists[2].Elems {
		n := integers(pass)
		if len(n) != 3 || n[0] < 0 || n[0] >= len(d.around) || n[1] < 1 || n[1] > len(report.Loops) {
			return fmt.Errorf("the report has a pass %v", n)
		}
		outer := d.around[n[0]]
		d.around = append(d.around, append(slices.Clip(outer), Pass{n[1] - 1, n[2]}))
	}
	for _, event := range lists[3].Elems {
		n := integers(event)
		e, err := d.event(n)
		if err != nil {
			return fmt.Errorf("the report has an event %v: %w", n, err)
		}
		report.Events = append(report.Events, e)
	}
	slices.SortStableFunc(report.Events, func(a, b Event) int { return cmp.Compare(a.Number, b.Number) })
	statement := -1
	for i := range report.Events {
		e := &report.Events[i]
		if e.Call == nil {
			statement = e.Statement
			continue
		}
		e.Statement = statement
		if e.Line == 0 && statement >= 0 {
			e.Line = d.probe.Statements[statement].Line
		}
	}
	return nil
}

// integers are the elements of an array, with -1 for anything that is not an integer.
func integers(list reply.Reply) []int {
	n := make([]int, len(list.Elems))
	for i, e := range list.Elems {
		n[i] = -1
		if e.Kind == reply.Int && e.Int <= math.MaxInt32 {
			n[i] = int(e.Int)
		}
	}
	return n
}

func (d *decoder) event(n []int) (Event, error) {
	if len(n) < 3 || n[1] < 0 || n[1] >= len(d.around) || n[2] < 0 || n[2] > len(d.probe.Statements) {
		return Event{}, errors.New("it names what is not there")
	}
	e := Event{Number: n[0], Passes: d.around[n[1]], Statement: n[2] - 1}
	if n[2] == 0 {
		return e, d.call(&e, n[3:])
	}
	s := d.probe.Statements[e.Statement]
	values, err := d.named(n[3:])
	if err != nil {
		return Event{}, err
	}
	if len(values) != len(s.Locals) {
		return Event{}, fmt.Errorf("it has %d values for %d locals", len(values), len(s.Locals))
	}
	e.Line = s.Line
	for i, v := range values {
		e.Locals = append(e.Locals, engine.Local{Name: s.Locals[i], Value: v.Lua()})
	}
	return e, nil
}

// named finds values by their indexes.
func (d *decoder) named(indexes []int) ([]Datum, error) {
	values := make([]Datum, len(indexes))
	for i, n := range indexes {
		if n < 1 || n > len(d.values) {
			return nil, fmt.Errorf("there is no value %d", n)
		}
		values[i] = d.values[n-1]
	}
	return values, nil
}

func (d *decoder) call(e *Event, n []int) error {
	if len(n) < 4 || n[0] < 0 || n[0] > len(d.probe.calls) || n[2] < 0 || len(n) < 4+n[2] || (len(n)-4-n[2])%4 != 0 {
		return errors.New("it is not a whole call")
	}
	values, err := d.named(n[3:])
	if err != nil {
		return err
	}
	if n[0] > 0 {
		e.Line = d.probe.calls[n[0]-1]
	}
	told := values[0].reply()
	c := &Call{Call: engine.Call{Reply: told, Failed: strings.HasPrefix(told, "(error) ")}}
	for _, arg := range values[1 : 1+n[2]] {
		c.Args = append(c.Args, arg.Lua())
	}
	for views := values[1+n[2]:]; len(views) > 0; views = views[4:] {
		c.Keys = append(c.Keys, keyView(views[0], views[1], views[2], views[3]))
	}
	e.Call = c
	return nil
}

func keyView(key, kind, pttl, value Datum) KeyView {
	v := KeyView{Key: key.Text, Type: kind.Text, Cut: key.Length > len(key.Text)}
	v.PTTL, _ = strconv.ParseInt(pttl.Text, 10, 64)
	v.take(value)
	switch v.Type {
	case "set":
		slices.Sort(v.Elems)
	case "hash":
		v.Elems = sortedFields(v.Elems)
	}
	return v
}

// take adds all strings of a value, at any depth.
func (v *KeyView) take(d Datum) {
	switch d.Kind {
	case StringDatum:
		v.Elems = append(v.Elems, d.Text)
		v.Cut = v.Cut || d.Length > len(d.Text)
	case TableDatum:
		for _, item := range d.Items {
			v.take(item)
		}
		// Anything but an array is a RESP3 reply: the script has called redis.setresp.
		v.Cut = v.Cut || d.Array > len(d.Items) || d.Others > 0
	case ClosedDatum:
		v.Cut = true
	}
}

func sortedFields(elems []string) []string {
	pairs := slices.Collect(slices.Chunk(elems[:len(elems)&^1], 2))
	slices.SortStableFunc(pairs, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return slices.Concat(pairs...)
}
