package ui

import (
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
)

func TestLocalsAreComparedWithTheLineBefore(t *testing.T) {
	in := &engine.Inside{Lines: []engine.Line{
		{N: 1, Line: 1},
		{N: 2, Line: 2, Locals: []engine.Local{{Name: "n", Value: "1"}, {Name: "same", Value: "x"}}},
		{N: 3, Line: 2, Call: &engine.Call{Args: []string{`"get"`, `"k"`}, Reply: "nil"}},
		{N: 4, Line: 3, Locals: []engine.Local{{Name: "n", Value: "2"}, {Name: "same", Value: "x"}, {Name: "got", Value: "false"}}},
	}}
	for at, want := range []string{"", "n=1 new, same=x new", "n=1, same=x", "n=2 changed from 1, same=x, got=false new"} {
		var parts []string
		for _, r := range localRows(in, at+1) {
			text := r.Name + "=" + r.Value
			if r.Delta != deltaNone {
				text += " " + string(r.Delta)
			}
			if r.Old != "" {
				text += " from " + r.Old
			}
			parts = append(parts, text)
		}
		if got := strings.Join(parts, ", "); got != want {
			t.Errorf("line %d has %q, want %q", at+1, got, want)
		}
	}
}

func TestLineSentences(t *testing.T) {
	in := insideView(1)(lessons.En).Step().Inside
	for _, tt := range []struct {
		at     int
		en, zh string
	}{
		{1, "line 1: while true do", "第 1 行：while true do"},
		{6, `line 5: lpop "redisson_lock_queue:{anyLock}" returned "8743c9c0:B"`, `第 5 行：lpop "redisson_lock_queue:{anyLock}" 返回 "8743c9c0:B"`},
		{8, `line 4: zscore "anyLock" "8743c9c0:C" failed: WRONGTYPE Operation against a key holding the wrong kind of value`, `第 4 行：zscore "anyLock" "8743c9c0:C" 失败：WRONGTYPE Operation against a key holding the wrong kind of value`},
	} {
		if got := scriptSentence(lessons.En, in, tt.at); got != tt.en {
			t.Errorf("line %d: %q, want %q", tt.at, got, tt.en)
		}
		if got := scriptSentence(lessons.Zh, in, tt.at); got != tt.zh {
			t.Errorf("line %d: %q, want %q", tt.at, got, tt.zh)
		}
	}
}

func TestPassesAndGaps(t *testing.T) {
	for want, passes := range map[string][]int{"": {0}, "2": {2}, "3.1": {3, 1}, "4": {4, 0}} {
		if got := pass(&engine.Line{Passes: passes}); got != want {
			t.Errorf("the passes %v read %q, want %q", passes, got, want)
		}
	}
	in := insideView(1)(lessons.En).Step().Inside
	for at, want := range map[int][2]int{1: {0, 0}, 4: {0, 9980}, 5: {9980, 0}, 8: {0, 0}} {
		if before, after := skipped(in, at); before != want[0] || after != want[1] {
			t.Errorf("line %d: %d before and %d after were not kept, want %v", at, before, after, want)
		}
	}
	for n, want := range map[int]string{7: "7", 999: "999", 9980: "9,980", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d reads %q, want %q", n, got, want)
		}
	}
}

// Nobody can act while a script runs, and the page says why.
func TestInsideAScriptNobodyElseActs(t *testing.T) {
	for _, f := range Fragments(insideView(3)(lessons.En)) {
		if f.ID != "f-actors" && f.ID != "f-clock" && f.ID != "f-faults" {
			continue
		}
		html := render(t, f.Component)
		for _, row := range f.Rows {
			html += row.HTML
		}
		buttons := strings.Split(html, "<button")[1:]
		if len(buttons) == 0 {
			t.Errorf("%s has no buttons", f.ID)
		}
		for _, b := range buttons {
			tag, _, _ := strings.Cut(b, ">")
			if strings.Contains(tag, `data-op="thread"`) || strings.Contains(tag, `class="btn quiet bolt"`) {
				continue // it only shows other code, or what could go wrong
			}
			if !strings.Contains(tag, " disabled") || !strings.Contains(tag, `aria-describedby="why-stilled"`) {
				t.Errorf("%s has a button that works, or does not say why not: <button%s>", f.ID, tag)
			}
		}
	}
}
