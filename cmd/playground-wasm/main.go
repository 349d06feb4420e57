//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"lockstep/engine/fact"
	"lockstep/lessons"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// main offers the worker's script one function and goes on answering it.
func main() {
	debug.SetGCPercent(400) // the heap is small, and a collection stops everything: there is one thread
	js.Global().Set("lockstep", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w, err := open(args[0])
		if err != nil {
			return err.Error()
		}
		js.Global().Set("onCommand", js.FuncOf(w.command))
		w.send([]player.Message{player.NewHello(w.build)})
		return ""
	}))
	select {}
}

// writer reads lessons in the module that is built for it (author.go).
var writer *player.Author

// worker is one learner's session and the timer of its autoplay.
type worker struct {
	playground player.Playground
	build      string
	session    *player.Session
	advance    js.Func
	hz         float64  // that the timer runs at; 0: there is none
	timer      js.Value // of setInterval
	playsAhead bool     // a story, as soon as one is shown: warmup.go
}

// settings are what the page knows and a player does not.
type settings struct {
	Build   string
	Engines []ui.EngineState // as its switch shows them
	Alone   bool             // the learner's device has one processor
}

// searchTime is how long a search goes on before the page hears of it: nobody notices that the worker does not listen
// meanwhile.
const searchTime = 80 * time.Millisecond

// open makes a worker of {settings: JSON, catalog: Uint8Array}.
func open(start js.Value) (*worker, error) {
	var s settings
	if err := json.Unmarshal([]byte(start.Get("settings").String()), &s); err != nil {
		return nil, fmt.Errorf("the page's settings cannot be read: %w", err)
	}
	data := make([]byte, start.Get("catalog").Get("length").Int())
	js.CopyBytesToGo(data, start.Get("catalog"))
	encoded, err := lessons.Decode(data)
	if err != nil {
		return nil, err
	}
	catalog := player.NewCatalog(nil)
	catalog.Publish(&player.Edition{Lessons: encoded.List, Read: encoded.Read})
	w := &worker{build: s.Build, playsAhead: !s.Alone, playground: player.Playground{
		Catalog: catalog, Engines: engines(s.Engines), Author: writer, Now: time.Now, SearchTime: searchTime,
	}}
	w.session = w.playground.NewSession("browser")
	w.advance = js.FuncOf(w.beat)
	return w, nil
}

// engines is the one that is here, which is the default, and those that the page
// shows beside it.
func engines(shown []ui.EngineState) []player.Engine {
	all := []player.Engine{player.Embedded{InBrowser: true}}
	for _, e := range shown {
		if e.Kind != ui.Browser {
			all = append(all, player.Elsewhere{Kind: e.Kind, Version: e.Version, Why: fact.Text(e.Reason)})
		}
	}
	return all
}

func (w *worker) command(_ js.Value, args []js.Value) any {
	data := []byte(args[0].String())
	messages := w.guarded(func() []player.Message { return w.session.Handle(context.Background(), data) })
	w.send(messages)
	w.pace()
	w.warmUp(messages)
	return nil
}

func (w *worker) beat(js.Value, []js.Value) any {
	w.send(w.guarded(func() []player.Message { return w.session.Advance(context.Background()) }))
	w.pace()
	return nil
}

func (w *worker) send(messages []player.Message) {
	for _, m := range messages {
		js.Global().Call("postMessage", string(m.Encode()))
	}
}

// pace sets the timer to the session's speed.
func (w *worker) pace() {
	hz := w.session.Hz()
	if hz == w.hz {
		return
	}
	if w.hz > 0 {
		js.Global().Call("clearInterval", w.timer)
	}
	if w.hz = hz; hz > 0 {
		w.timer = js.Global().Call("setInterval", w.advance, 1000/hz)
	}
}

// guarded turns a bug into a refusal and a fresh session, which the page loads
// where the old one was.
func (w *worker) guarded(act func() []player.Message) (out []player.Message) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		js.Global().Get("console").Call("error", fmt.Sprintf("the session panicked: %v", p))
		lang := w.session.Lang()
		w.session = w.playground.NewSession("browser")
		out = []player.Message{player.NewRefusal(lang, player.CodeCrashed, fact.Of("player-broke", p))}
	}()
	return act()
}
