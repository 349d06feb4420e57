package attach

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"lockstep/node/redis/clients"
)

// Scripts are those that clients have sent, in the order in which they came.
func (r *Recorder) Scripts() (all []clients.Script) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, sha := range r.seen {
		s := clients.Script{SHA: sha, Line: r.sources[sha].firstLine()}
		if k := r.sources[sha].kind; k.does.Code != "" {
			s.Does = k.does
		}
		all = append(all, s)
	}
	return all
}

// source is a script that a client has sent.
type source struct {
	text  string
	kind  kind     // without a fact: it is not known
	calls []string // the commands that it names, in lower case
}

func newSource(text string) *source {
	s := &source{text: text}
	for _, m := range called.FindAllStringSubmatch(text, -1) {
		call := strings.ToLower(m[1])
		if call == "set" && onlyIfNone.MatchString(m[2]) {
			call = "set-nx"
		}
		s.calls = append(s.calls, call)
	}
	s.kind = kindOf(text, s.calls)
	return s
}

// name is what steps call the script.
func (s *source) name(sha string) string {
	return cmp.Or(s.kind.does.Code, sha[:8])
}

func (s *source) firstLine() string {
	for line := range strings.Lines(s.text) {
		if line = strings.TrimSpace(line); line != "" {
			return clipped(line)
		}
	}
	return ""
}

// called finds the commands that a script names, with their arguments, by redis.call or a short name for it.
var called = regexp.MustCompile(`(?:redis\.p?call|\brcall)\s*\(\s*['"]([A-Za-z]+)['"]([^()]*)`)

// onlyIfNone is what makes SET take a lock.
var onlyIfNone = regexp.MustCompile(`(?i)['"]nx['"]`)

// asks tells whether a script asks for a key before it sets it: one that sets it anyway makes no lock.
func (s *source) asks() bool {
	return !s.kind.counts && (s.kind.obtains || s.inJobs() || strings.Contains(strings.ToLower(s.text), "nx") ||
		slices.ContainsFunc(s.calls, func(c string) bool { return strings.Contains(c, "exists") }))
}

// inJobs tells whether the locks that it makes stand in no argument: a queue finds the job.
func (s *source) inJobs() bool { return s.kind.does.Code == jobs.does.Code }
