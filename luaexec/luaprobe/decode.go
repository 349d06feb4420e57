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
//	format, number of events, values, passes, events, "return"[, reply]
//	format, number of events, values, passes, events, "error", statement, [text, call or 0, place…]
//
// where the reply is missing if the script returned nil. Values are strings in the
// form of Datum. The others are arrays of integers, which name each other, and the
// statements and calls of the script, by their index from 1:
//
//	pass   enclosing pass or 0, number
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
	if answer.Kind != reply.Array || len(a) < 6 || a[0].Str != format {
		return Report{}, errors.New("the script answered with no report: it is not one that Rewrite has made")
	}
	d := &decoder{probe: p}
	report := Report{Total: int(a[1].Int)}
	if err := d.decode(&report, a[2:5]); err != nil {
		return Report{}, err
	}
	switch {
	case a[5].Str == "return" && len(a) == 6:
	case a[5].Str == "return" && len(a) == 7:
		report.Reply = a[6]
	case a[5].Str == "error" && len(a) == 8 && len(a[7].Elems) > 1:
		report.Reply = reply.OfError(p.failure(int(a[6].Int), a[7].Elems))
	default:
		return Report{}, fmt.Errorf("the report ends with %q and %d elements", a[5].Str, len(a))
	}
	return report, nil
}

type decoder struct {
	probe  *Probe
	values []Datum
	around [][]int // by pass: the passes around an event in it, from 1; 0: the loop's header, evaluated before the first pass
}

func (d *decoder) decode(report *Report, lists []reply.Reply) error {
	for _, v := range lists[0].Elems {
		value, err := decodeDatum(v.Str)
		if err != nil {
			return err
		}
		d.values = append(d.values, value)
	}
	d.around = [][]int{nil}
	for _, pass := range lists[1].Elems {
		n := integers(pass)
		if len(n) != 2 || n[0] < 0 || n[0] >= len(d.around) {
			return fmt.Errorf("the report has a pass %v", n)
		}
		d.around = append(d.around, append(slices.Clip(d.around[n[0]]), n[1]))
	}
	for _, event := range lists[2].Elems {
		n := integers(event)
		l, err := d.event(n)
		if err != nil {
			return fmt.Errorf("the report has an event %v: %w", n, err)
		}
		report.Lines = append(report.Lines, l)
	}
	slices.SortStableFunc(report.Lines, func(a, b Line) int { return cmp.Compare(a.N, b.N) })
	line := 0 // of the last statement
	for i := range report.Lines {
		l := &report.Lines[i].Line
		if l.Call == nil {
			line = l.Line
		} else if l.Line == 0 {
			l.Line = line
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

func (d *decoder) event(n []int) (l Line, err error) {
	if len(n) < 3 || n[1] < 0 || n[1] >= len(d.around) || n[2] < 0 || n[2] > len(d.probe.Statements) {
		return l, errors.New("it names what is not there")
	}
	l.N, l.Passes = n[0], d.around[n[1]]
	if n[2] == 0 {
		return l, d.call(&l, n[3:])
	}
	s := d.probe.Statements[n[2]-1]
	values, err := d.named(n[3:])
	if err != nil {
		return l, err
	}
	if len(values) != len(s.Locals) {
		return l, fmt.Errorf("it has %d values for %d locals", len(values), len(s.Locals))
	}
	l.Line.Line = s.Line
	for i, v := range values {
		l.Locals = append(l.Locals, engine.Local{Name: s.Locals[i], Value: v.Lua()})
	}
	return l, nil
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

func (d *decoder) call(l *Line, n []int) error {
	if len(n) < 4 || n[0] < 0 || n[0] > len(d.probe.calls) || n[2] < 0 || len(n) < 4+n[2] || (len(n)-4-n[2])%4 != 0 {
		return errors.New("it is not a whole call")
	}
	values, err := d.named(n[3:])
	if err != nil {
		return err
	}
	if n[0] > 0 {
		l.Line.Line = d.probe.calls[n[0]-1]
	}
	told := values[0].reply()
	l.Call = &engine.Call{Reply: told, Failed: strings.HasPrefix(told, "(error) ")}
	for _, arg := range values[1 : 1+n[2]] {
		l.Call.Args = append(l.Call.Args, arg.Lua())
	}
	for views := values[1+n[2]:]; len(views) > 0; views = views[4:] {
		l.Seen = append(l.Seen, keyView(views[0], views[1], views[2], views[3]))
	}
	return nil
}

func keyView(key, kind, pttl, value Datum) KeyView {
	v := KeyView{Key: key.Text, Type: kind.Text, Cut: key.Length > len(key.Text)}
	v.PTTL, _ = strconv.ParseInt(pttl.Text, 10, 64)
	v.take(value)
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
