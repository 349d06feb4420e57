package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lockstep/lessons"
	"lockstep/node/sample"
	"lockstep/web/player"
)

// conversation is all that a player says to the commands of a whole story.
type conversation struct {
	commands []string
	said     [][]string // by command
}

// native plays some of the lessons in this process.
func native(t *testing.T, all, some []*lessons.Lesson) *conversation {
	t.Helper()
	p := &player.Playground{Catalog: player.NewCatalog(all), Engines: []player.Engine{player.Embedded{InBrowser: true}}}
	session := p.NewSession("test")
	c := &conversation{}
	var rev int64
	say := func(fields string) (framed bool) {
		t.Helper()
		command := fmt.Sprintf(`{"v":1,"id":%d,%s}`, len(c.commands)+1, fields)
		var said []string
		for _, m := range session.Handle(t.Context(), []byte(command)) {
			said = append(said, string(m.Encode()))
			if m.Frame != nil {
				rev, framed = m.Rev, true
			}
		}
		c.commands, c.said = append(c.commands, command), append(c.said, said)
		return framed
	}
	for _, lang := range []string{"en", "zh"} {
		for _, l := range some {
			say(fmt.Sprintf(`"op":"load","lesson":%q,"lang":%q`, l.Name, lang))
			for i := range l.Choices() {
				if !say(fmt.Sprintf(`"op":"seek","pos":%d`, i+1)) {
					t.Fatalf("%s: step %d has no frame to compare", l.Name, i+1)
				}
				say(fmt.Sprintf(`"op":"ack","rev":%d`, rev))
			}
		}
	}
	return c
}

// inWorker has the page's own worker play the same.
const inWorker = `(async (commands) => {
	const page = document.body.dataset;
	const module = await WebAssembly.compileStreaming(fetch(page.module));
	const catalog = new Uint8Array(await (await fetch(page.catalog)).arrayBuffer());
	const worker = new Worker(page.worker);
	const said = [];
	await new Promise((done, failed) => {
		const next = () => {
			if (said.length === commands.length) return done();
			said.push([]);
			worker.postMessage(commands[said.length - 1]);
		};
		worker.onerror = (e) => failed(new Error(e.message));
		worker.onmessage = ({ data }) => {
			if (typeof data !== 'string') return failed(new Error(JSON.stringify(data)));
			const m = JSON.parse(data);
			if (m.op === 'hello') return next();
			said.at(-1).push(data);
			if (m.op === 'reply') next();
		};
		worker.postMessage({ module, catalog, settings: JSON.stringify({ Build: 'test', Engines: [] }) });
	});
	worker.terminate();
	return said;
})(%s)`

// Each message, frames with all their HTML, is the same in Chromium as natively,
// byte for byte: what a schedule shows does not depend on where it is played.
func TestEveryLessonIsPlayedTheSameInChromium(t *testing.T) {
	t.Parallel()
	all := catalog(t)
	want := native(t, all, sample.Lessons(t, all, sample.LessonsInChromium, nameOf))
	commands, err := json.Marshal(want.commands)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t)
	b.visit(serve(t).url + "/en/lessons/eval/")
	got := eval[[][]string](b, fmt.Sprintf(inWorker, commands))
	for i, command := range want.commands {
		if here, there := strings.Join(want.said[i], ""), strings.Join(got[i], ""); here != there {
			t.Fatalf("%s in Chromium:\n%s\nnatively:\n%s", command, there, here)
		}
	}
}
