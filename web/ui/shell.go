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

// Shell is what a page needs to know about the site that serves it. Addresses are relative
// to the folder of the site, so that a playground works in any folder.
type Shell struct {
	File   func(name string) string // of a file of the client; empty: there is none
	Socket string                   // the websocket; empty: there is no server
	Root   string                   // the folder's path, for pages that may be at any depth
	Build  string                   // changes with every build
	Blank  string                   // the lesson that new ones begin as; empty: none can be written
	Draft  string                   // where the home page sends scripts to make a lesson of; empty: nowhere
	Class  string                   // the folder of classes; empty: there are none
	View   string                   // how a lesson's page looks, when its address does not say so: ViewEmbed

	// Of sites without a server:
	Offline string // the service worker; empty: there is none
	Zipped  bool   // large files have a copy with .gz at the end
	Policy  string // the Content-Security-Policy, if no header has it
}

// The files of the client that pages refer to.
const (
	clientScript = "main.js"
	clientStyle  = "style.css"
	editorScript = "editor.js"
	workerScript = "worker.js"
	Module       = "playground.wasm" // the player that runs in browsers
	AuthorModule = "author.wasm"     // the same, which can also read lessons
	Catalog      = "lessons.json"    // the lessons for it
)

// StoryFile is the story of a lesson as it was recorded, for pages to play until they have a player.
func StoryFile(lang lessons.Lang, lesson string) string {
	return "story-" + lesson + "." + string(lang) + ".json"
}

// ownPlayer tells whether the site has everything that a browser needs to play by itself.
func (s Shell) ownPlayer() bool { return s.File(Module) != "" && s.File(Catalog) != "" }

// The relative paths from a page to the folder of the site.
const (
	fromHome     = "../"
	fromCompared = "../../"
	fromLesson   = "../../../"
)

// enginesJSON tells the player in the browser which engines there are besides its own.
func enginesJSON(engines []EngineState) string {
	text, err := json.Marshal(engines)
	if err != nil {
		panic("ui: engines cannot be encoded: " + err.Error()) // they are strings
	}
	return string(text)
}

// locales are the languages as Open Graph names them.
var locales = map[lessons.Lang]string{lessons.En: "en_US", lessons.Zh: "zh_CN"}

// favicon is a lock whose two halves are two clients.
const favicon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M10 15V10a6 6 0 0 1 12 0v5' fill='none' stroke='%235540c6' stroke-width='3.4'/%3E%3Crect x='4' y='14' width='24' height='15' rx='3' fill='%235540c6'/%3E%3Cpath d='M11 18v7M21 18v7' stroke='%23fff' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E`

// bootScript runs before anything is painted, so that a stored theme never flashes.
// It also reads from the address how a lesson is looked at.
const bootScript = `{const v=new URLSearchParams(location.search).get("view");if(v==="embed"||v==="present")document.documentElement.dataset.view=v}try{const t=localStorage.getItem("lockstep-theme");if(t)document.documentElement.dataset.theme=t;const m=sessionStorage.getItem("lockstep-mode "+location.pathname.split("/").at(-2));if(m)document.documentElement.dataset.mode=m}catch{}`

// Policy is the Content-Security-Policy of every page: it may use the files and the
// socket of its own origin, WebAssembly, and the one inline script above. A header
// should add frame-ancestors, which browsers ignore in a page.
var Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' " + hashed(bootScript) + "; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'"

func hashed(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// HomePath is the address of the list of lessons, from the site's folder.
func HomePath(lang lessons.Lang) string { return string(lang) + "/" }

// LessonPath is the address of a lesson at its start, from the site's folder.
func LessonPath(lang lessons.Lang, lesson string) string {
	return HomePath(lang) + "lessons/" + url.PathEscape(lesson) + "/"
}

// ViewEmbed is how a lesson looks in a frame of another page. The other way to look at one is
// "present", on a screen before an audience.
const ViewEmbed = "embed"

// EmbedPath is the address of a lesson for frames of other pages, from the site's folder. It
// is as deep as the lesson's own, so that relative addresses lead to the same.
func EmbedPath(lang lessons.Lang, lesson string) string {
	return ViewEmbed + "/" + string(lang) + "/" + url.PathEscape(lesson) + "/"
}

// PlacePath is the address of a place in a lesson, which Share copies. The
// parameters are s (schedule), p (position) and e (engine); the client adds x (edits)
// and c (the challenge that is tried).
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

// Tag is the language as browsers name it, which also picks the right CJK font.
func Tag(lang lessons.Lang) string {
	if lang == lessons.Zh {
		return "zh-Hans"
	}
	return "en"
}
