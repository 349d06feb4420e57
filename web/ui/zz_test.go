package ui
import ("testing";"time";"lockstep/lessons")
func BenchmarkZZ(b *testing.B) {
	for _, n := range []int{5, 20, 100, 500} {
		w := newWorld(); w.aLocks(); w.bIsRefused()
		for range n { w.ticks(time.Second) }
		v := viewOf(w, lessons.En); v.Cache=&RenderCache{}
		size:=0
		for _, f := range Fragments(v) { size+=len(render(b,f.Component)) }
		b.Run("", func(b *testing.B) { for b.Loop() { for _, f := range Fragments(v) { render(b,f.Component) } }; b.ReportMetric(float64(n),"steps"); b.ReportMetric(float64(size),"bytes") })
	}
}
