package ui

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"

	"lockstep/engine"
	"lockstep/lessons"
)

// Shell is what a page needs to know of the place that serves it.
type Shell struct {
	Assets string // where main.js and style.css are, without a slash at the end
	Socket string // path of the websocket; empty: the page is for reading only
	Build  string // changes with every build; asked of the browser's caches too

	// The player that runs in the browser: addresses of its script, of its
	// WebAssembly and of the lessons for it. All are empty when there is none.
	Worker, Module, Catalog string
}

// enginesJSON tells the player in the browser which engines there are besides its own.
func enginesJSON(engines []EngineState) string {
	text, err := json.Marshal(engines)
	if err != nil {
		panic("ui: engines cannot be encoded: " + err.Error()) // they are strings
	}
	return string(text)
}

func (s Shell) asset(name string) string {
	address := s.Assets + "/" + name
	if s.Build != "" {
		address += "?v=" + url.QueryEscape(s.Build)
	}
	return address
}

// bootScript runs before anything is painted, so that a stored theme never flashes.
const bootScript = `try{const t=localStorage.getItem("lockstep-theme");if(t)document.documentElement.dataset.theme=t}catch{}`

// BootScriptHash is the source expression that lets the one inline script of
// the pages pass a Content-Security-Policy.
func BootScriptHash() string {
	sum := sha256.Sum256([]byte(bootScript))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HomePath is the address of the list of lessons.
func HomePath(lang lessons.Lang) string { return "/" + string(lang) + "/" }

// LessonPath is the address of a lesson at its start.
func LessonPath(lang lessons.Lang, lesson string) string {
	return HomePath(lang) + "lessons/" + url.PathEscape(lesson)
}

// PlacePath is the address of a place in a lesson: what Share copies. The
// parameters are s (schedule), p (position) and e (engine).
func PlacePath(lang lessons.Lang, lesson string, s engine.Schedule, pos int, e EngineKind) string {
	q := url.Values{}
	if len(s.Choices) > 0 {
		q.Set("s", s.String())
		q.Set("p", strconv.Itoa(pos))
	}
	if e != "" && e != Embedded {
		q.Set("e", string(e))
	}
	path := LessonPath(lang, lesson)
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

func other(lang lessons.Lang) lessons.Lang {
	if lang == lessons.Zh {
		return lessons.En
	}
	return lessons.Zh
}

// tag is the language as browsers name it, which also picks the right CJK font.
func tag(lang lessons.Lang) string {
	if lang == lessons.Zh {
		return "zh-Hans"
	}
	return "en"
}
