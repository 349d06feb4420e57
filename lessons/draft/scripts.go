package draft

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine/fact"
	"lockstep/luaexec/syntax"
)

// Script is a script that was found.
type Script struct {
	Name   string // as a lesson calls it
	Source string
	File   string
	Line   int      // of File, from 1, where it begins
	Filled []string // names of values that the program inserts as it runs; Source has KEYS and ARGV in their places
	OfCode bool     // Source stands for a command that the code sends without a script

	OfLibrary bool // Source is a function of a library

	Commands *Commands // in place of a script
}

// mostScripts is how many are read of a file: each takes time, and each pair of two more.
const mostScripts = 100

func tooMany(file string, scripts int) error {
	if scripts > mostScripts {
		return fact.Of("draft-many", file, mostScripts)
	}
	return nil
}

// Scripts are the scripts in a file. A file named .lua, or without an extension and with Lua in it, is one script, or a
// library of several. Of other code they are the string literals that call Redis, equal ones once; and where there are none,
// one Script with the Commands of a lock. The error is a fact that tells why there is no script.
func Scripts(file, text string) ([]Script, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	source, filled := text, []string(nil)
	_, err := parse(text)
	if err != nil { // StackExchange.Redis has @key in place of KEYS[1]
		source, filled = parts{}.fill(piece{text: text})
	}
	_, still := parse(source)
	if path.Ext(file) == ".lua" || path.Ext(file) == "" && still == nil {
		if all := ofLibrary(file, 1, source); len(all) > 0 {
			return all, tooMany(file, len(all))
		}
		if still != nil {
			return nil, noLua(file, err)
		}
		s := Script{Name: plainName(strings.TrimSuffix(path.Base(file), ".lua")), Source: source, File: file, Line: 1, Filled: filled}
		return []Script{s}, refusal(file, 1, source)
	}
	bare, literals := scan(text)
	all := runs(bare, literals)
	parts := fragments(bare, all)
	var found []Script
	var problem error
	read := 0
	for _, run := range all {
		for _, p := range run.scripts() {
			read++
			if err := tooMany(file, max(read, len(found))); err != nil {
				return nil, err
			}
			line := 1 + strings.Count(text[:p.start], "\n")
			if all := ofLibrary(file, line, p.text); len(all) > 0 {
				found = Add(found, all...)
				continue
			}
			source, filled := parts.fill(p)
			if err := refusal(file, line, source); err != nil {
				problem = cmp.Or(problem, err)
				continue
			}
			s := Script{Name: nameOf(file, bare, p.start), Source: source, File: file, Line: line, Filled: filled}
			if !slices.ContainsFunc(found, func(f Script) bool { return f.Source == source && !opposed(f.Name, s.Name) }) {
				found = Add(found, s)
			}
		}
	}
	if problem != nil && !slices.ContainsFunc(found, func(s Script) bool { return returns.MatchString(s.Source) }) {
		return nil, problem // what was found is a part of what was not read
	}
	if len(found) == 0 {
		if at := sendsScript.FindStringIndex(bare); at != nil {
			return nil, fact.Of("draft-script-elsewhere", file, 1+strings.Count(bare[:at[0]], "\n"))
		}
		if c, ok := commandsIn(file, bare); ok {
			return []Script{{Name: "commands", File: file, Line: 1, Commands: &c}}, nil
		}
		if path.Ext(file) == "" && callsRedis.MatchString(bare) {
			return nil, noLua(file, err)
		}
		return nil, fact.Of("draft-no-script", file)
	}
	return withRemoval(found, file, bare), tooMany(file, len(found))
}

var (
	returns     = regexp.MustCompile(`\breturn\b`)
	sendsScript = regexp.MustCompile(`(?i)(?:\.|->|::)\s*eval(?:_?sha|_ro)?(?:_?script)?(?:async)?\s*\(|ScriptEvaluate|register_script\s*\(|NewScript\w*\s*\(|RedisScript\b|\bdefineCommand\s*\(`)
	addsScored  = regexp.MustCompile(`(?i)call\s*\(\s*['"]zadd`)
	dropsScored = regexp.MustCompile(`(?i)(?:\.|->)(?:zrem|SortedSetRemove(?:Async)?)\b`)
)

// WithRemoval adds the release that the scripts of a semaphore may lack: a ZREM that the code of a file sends. It adds none
// if the scripts add no scored members, or if one of them gives back.
func WithRemoval(found []Script, file, text string) []Script {
	bare, _ := scan(text)
	return withRemoval(found, file, bare)
}

// withRemoval is WithRemoval for code whose comments and string literals are blank.
func withRemoval(found []Script, file, bare string) []Script {
	at := dropsScored.FindStringIndex(bare)
	if at == nil || !slices.ContainsFunc(found, func(s Script) bool { return addsScored.MatchString(s.Source) }) ||
		slices.ContainsFunc(found, func(s Script) bool { return read(s.Source).part(s.Name) == gives }) {
		return found
	}
	return append(found, Script{
		Name: free(found, "zrem"), Source: "return redis.call('zrem', KEYS[1], ARGV[1])", OfCode: true,
		File: file, Line: 1 + strings.Count(bare[:at[0]], "\n"),
	})
}

// Add adds the scripts of one more file, under names that are free.
func Add(all []Script, found ...Script) []Script {
	for _, s := range found {
		s.Name = free(all, s.Name)
		all = append(all, s)
	}
	return all
}

// ofLibrary are the functions of a library that stands in a file, as scripts; none, if it is no library.
func ofLibrary(file string, line int, text string) []Script {
	if !library.MatchString(text) {
		return nil
	}
	all := functionsOf(text)
	for i := range all {
		all[i].File, all[i].Line = file, line+all[i].Line-1
	}
	return all
}

// refusal is the reason why a text that calls Redis cannot be read as a script; nil: it can. Most such texts are put
// together as the program runs.
func refusal(file string, line int, text string) error {
	if _, err := parse(text); err != nil {
		return fact.Of("draft-dynamic", file, line, err)
	}
	if library.MatchString(text) {
		return fact.Of("draft-library", file, line)
	}
	return nil
}

// noLua is why a text that is meant to be a script is none.
func noLua(file string, err error) error {
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		return fact.Of("draft-no-lua", file, wrong.Line, wrong.Message)
	}
	return err
}

func free(all []Script, name string) string {
	for n, wanted := 2, name; ; n++ {
		if !slices.ContainsFunc(all, func(s Script) bool { return s.Name == wanted }) {
			return wanted
		}
		wanted = fmt.Sprintf("%s-%d", name, n)
	}
}

// parse reads a script. A line with the engine and the library before it is not Lua.
func parse(text string) (*syntax.Tree, error) {
	if strings.HasPrefix(text, "#!") {
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n" + rest
	}
	return syntax.Parse(text, "")
}

var callsRedis = regexp.MustCompile(`\bredis\s*\.\s*p?call\s*\(|\bserver\s*\.\s*p?call\s*\(`)

// piece is a text of one or more literals, joined.
type piece struct {
	start  int
	text   string
	filled bool // names in braces stand for values
}

// run is literals in a row, with nothing between them but commas: an array of lines, or the arguments of a call.
type run []piece

// runs are the literals, joined where the program joins them.
func runs(bare string, literals []literal) []run {
	var all []run
	for i, l := range literals {
		gap := ","
		if i > 0 {
			gap = strings.TrimSpace(bare[literals[i-1].end:l.start])
		}
		switch last := len(all) - 1; {
		case i > 0 && joins(gap):
			r := all[last]
			r[len(r)-1].text += l.text
		case i > 0 && between.MatchString(gap):
			r := all[last]
			r[len(r)-1].text += "${" + between.FindStringSubmatch(gap)[1] + "}" + l.text
		case i > 0 && gap == ",":
			all[last] = append(all[last], piece{l.start, l.text, l.filled})
		default:
			all = append(all, run{{l.start, l.text, l.filled}})
		}
	}
	return all
}

// between matches the code between two literals that inserts a value: a variable, or the result of a call without
// arguments.
var between = regexp.MustCompile(`^[+.]\s*(?:\$?[A-Za-z_]\w*(?:->|\.|::))*\$?([A-Za-z_]\w*)(?:\(\))?\s*[+.]$`)

// appends matches the code between two literals of one text that two statements, or two calls of a builder, make.
var appends = regexp.MustCompile(`^\)?\s*;?\s*(?:\w+\s*)?\.append\s*\($|^;?\s*\$?[A-Za-z_]\w*\s*[+.]=$`)

func joins(gap string) bool { return strings.Trim(gap, "+.\\& \t\n") == "" || appends.MatchString(gap) }

// scripts are the pieces that call Redis; the lines of an array are one, if they are none by themselves.
func (r run) scripts() []piece {
	var alone []piece
	for _, p := range r {
		if callsRedis.MatchString(p.text) {
			alone = append(alone, p)
		}
	}
	if len(r) > 1 && len(alone) > 0 {
		lines := make([]string, len(r))
		for i, p := range r {
			lines[i] = p.text
		}
		whole := strings.Join(lines, "\n")
		if _, err := parse(whole); err == nil {
			return []piece{{r[0].start, whole, false}}
		}
	}
	return alone
}

var (
	assigned  = regexp.MustCompile("([A-Za-z_$][A-Za-z0-9_$]*)['\"]?\\s*(?::[^=:\\n]*)?(?:=>|:=|=|:)[^=:;{}]*$")
	attribute = regexp.MustCompile(`@([a-z_]\w*)\s+(?:~\w)?\W*$`) // of a module of Elixir
	declared  = regexp.MustCompile(`(?:\b(?:func|def|function|fn|fun)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][A-Za-z0-9_$?!]*))|(?:([A-Za-z_$][A-Za-z0-9_$]*)\s*\([^;{}]*\)\s*(?:throws [A-Za-z0-9_., ]+|:\s*[A-Za-z0-9_.<>|\[\], ]+)?\{)`)
	defined   = regexp.MustCompile(`\bdefineCommand\s*\(\s*['"](\w+)['"][^;)]*$`) // of ioredis
	keywords  = words("if for while switch catch return else try synchronized")
	vague     = words("self this future f result res ret r s x value response reply promise command cmd script text p q") // names that tell no purpose
)

func words(all string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(all) {
		set[word] = true
	}
	return set
}

// nameOf is what the code before a literal calls it: the variable or the key that it is assigned to, or the function
// that it stands in; where that says nothing, what the file is called. Where that does not say whether it is of a lock to
// read or of one to write, its class or the file may.
func nameOf(file, bare string, start int) string {
	of := plainName(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	name := plainName(calledBy(bare, start))
	if name == "script" {
		name = of
	}
	if shared.MatchString(name) || alone.MatchString(name) {
		return name
	}
	for _, of := range []string{classOf(bare[:start]), of} {
		if m := sided.FindStringSubmatch(of); m != nil && !opposed(of, of) { // not both
			return plainName(m[1] + "-" + name)
		}
	}
	return name
}

// sided matches the name of a lock to read or of one to write.
var sided = regexp.MustCompile(`(?:^|-)(read|shared|write|exclusive)e?r?-?lock`)

// classOf is the name of the last class that code declares; empty: it declares none.
func classOf(bare string) string {
	_, after, _ := strings.Cut(bare[max(0, strings.LastIndex(bare, "class ")):], "class ")
	name, _, _ := strings.Cut(after, " ")
	return plainName(name)
}

// built is the variable of a builder that a text is added to.
var built = regexp.MustCompile(`(\w+)\s*\.append\s*\(\s*$`)

// calledBy is the name as the code writes it.
func calledBy(bare string, start int) string {
	before := bare[:start]
	line := before[max(0, len(before)-300):]
	if m := built.FindStringSubmatch(line); m != nil {
		result := regexp.MustCompile(`(\w+)\s*=\s*` + m[1] + `\s*\.toString\(`)
		if of := result.FindStringSubmatch(bare[start:min(len(bare), start+8000)]); of != nil {
			return of[1]
		}
	}
	if m := defined.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if i := strings.LastIndexAny(line, ";{}"); i >= 0 {
		line = line[i+1:]
	}
	if i := strings.LastIndex(line, "\n\n"); i >= 0 {
		line = line[i+2:]
	}
	for _, names := range []*regexp.Regexp{assigned, attribute} {
		if m := names.FindStringSubmatch(line); m != nil && !keywords[m[1]] && !vague[m[1]] && plainName(m[1]) != "script" {
			return m[1]
		}
	}
	all := declared.FindAllStringSubmatch(before[max(0, len(before)-8000):], -1)
	for _, m := range slices.Backward(all) {
		if name := m[1] + m[2]; !keywords[name] {
			return name
		}
	}
	return ""
}

var (
	humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	odd   = regexp.MustCompile(`[^a-z0-9]+`)
)

// plainName is a name as lessons write them, without the words that say only that it is a script.
func plainName(name string) string {
	name = odd.ReplaceAllString(strings.ToLower(humps.ReplaceAllString(name, "$1-$2")), "-")
	name = strings.ReplaceAll(name, "un-lock", "unlock")
	var words []string
	for word := range strings.SplitSeq(name, "-") {
		switch word {
		case "", "script", "scripts", "lua", "source", "src", "redis", "async", "inner", "command", "cmd", "code", "text", "eval", "sha":
		default:
			words = append(words, word)
		}
	}
	name = strings.Join(words, "-")
	if len(name) > 32 {
		name = strings.TrimRight(name[:32], "-")
	}
	if name == "" || name[0] < 'a' {
		return "script" + name
	}
	return name
}
