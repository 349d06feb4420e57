package main_test

import (
	"fmt"
	"testing"

	"lockstep/web/player"
)

// BenchmarkStory plays all lessons from start to end, each step with the frame that
// is drawn of it: natively, and as the module in Node.
func BenchmarkStory(b *testing.B) {
	all := catalog(b)
	var commands []string
	for _, l := range all {
		commands = append(commands, fmt.Sprintf(`"op":"load","lesson":%q`, l.Name))
		for i := range l.Choices() {
			commands = append(commands, fmt.Sprintf(`"op":"seek","pos":%d`, i+1), "")
		}
	}
	play := func(b *testing.B, say func(string) []string) {
		steps := 0
		for b.Loop() {
			rev := 0
			for _, c := range commands {
				if c == "" {
					c = fmt.Sprintf(`"op":"ack","rev":%d`, rev)
				} else {
					steps++
				}
				rev = max(rev, newest(b, say(c)))
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(steps), "µs/step")
		b.ReportMetric(0, "ns/op")
	}
	b.Run("natively", func(b *testing.B) {
		p := &player.Playground{Catalog: player.NewCatalog(all), Engines: []player.Engine{player.Embedded{InBrowser: true}}}
		native := &here{session: p.NewSession("test")}
		play(b, func(c string) []string { return native.command(b, c) })
	})
	b.Run("in Node", func(b *testing.B) {
		w := start(b, all)
		play(b, w.command)
	})
}
