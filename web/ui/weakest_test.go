package ui

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/search"
	"lockstep/lessons"
)

// What holds and what is open differ in what they say: with the same faults, each names its assumption about time.
func TestWhatHoldsAndWhatIsOpenDiffer(t *testing.T) {
	for _, tt := range []struct {
		asked  search.TimeBound
		en, zh string
	}{
		{search.Arrive, "if each begins at any time", "客户端可在任意时刻开始"},
		{search.TimeBound{Any: true}, "however late anybody is", "不管谁拖延多久"},
	} {
		asked := search.Bounds{Time: tt.asked, Faults: map[engine.ChoiceKind]int{engine.Crash: 1}}
		w := (&lessons.Lesson{}).NewWeakest(lessons.Question{Bounds: asked}, search.Verdict{Ending: search.Breaks, Violation: &engine.Violation{}}, 1)
		w.Enough = []search.Bounds{{Time: search.Prompt, Faults: asked.Faults}}
		w.Holding = []search.Bounds{{Time: search.Prompt}}
		w.Open = []search.Bounds{{Time: tt.asked}}
		for lang, want := range map[lessons.Lang]string{
			lessons.En: "Enough to break it: one crash. It holds with no fault, if all begin at once and nobody is late. Not decided, as a search was too long: with no fault, " + tt.en + ".",
			lessons.Zh: "下列任一情况就足以违反规则：一次崩溃。下列任一情况下规则都成立：没有故障，所有客户端同时开始且谁都不拖延。搜索量太大，以下情况没有结论：没有故障，" + tt.zh + "。",
		} {
			if got := WeakestText(lang, w); got != want {
				t.Errorf("it says %q", got)
			}
		}
	}
}
