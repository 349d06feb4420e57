package decode

import (
	"path"
	"regexp"
	"slices"
	"strconv"

	"lockstep/engine"
	"lockstep/engine/fact"
	"lockstep/lessons"
)

func (d *decoder) client(f plainText) {
	if !f.ok() {
		return
	}
	name := f.text
	if known := d.library.clients(); !slices.Contains(known, name) {
		d.unknown(f.node, fact.Of("lesson-no-client", name), name, known)
		return
	}
	owner, own := d.library.owner(ClientFile(name))
	c, ok := d.luaFile(owner, f.node, "the client "+name, ClientFile(name), mostClient)
	if !ok {
		return
	}
	d.compile(c)
	d.lesson.Client = lessons.Client{Name: name, Source: c.source}
	d.declare("client", name, f.node)
	if own {
		d.lesson.Client.File = c.in.path
	}
}

var (
	luaName      = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_-]*)\.lua$`)
	clientScript = regexp.MustCompile(`^clients/([A-Za-z][A-Za-z0-9_-]*)/[A-Za-z][A-Za-z0-9_-]*\.lua$`) // clients/redisson/lock.lua
)

func (d *decoder) scripts(f *lessonForm) {
	for _, s := range f.Scripts.items {
		if !d.name(s.key, s.name) || !s.ok() {
			continue
		}
		c, ok := d.scriptSource(s)
		if !ok {
			continue
		}
		d.compile(c)
		d.declare("script", s.name, s.key)
		d.lesson.Scripts = append(d.lesson.Scripts, lessons.Script{
			Name: s.name, Source: c.source, File: c.in.path, Place: d.codePlace(c),
			Keys: d.meanings(s.Keys, s.name), Args: d.meanings(s.Args, s.name),
		})
	}
}

// meanings are the descriptions of a script's KEYS or ARGV; nil: the lesson gives none.
func (d *decoder) meanings(f listOf[meaningForm], script string) []lessons.Text {
	if !f.given() {
		return nil
	}
	d.declare(f.name, script, f.key)
	out := []lessons.Text{}
	for _, m := range f.items {
		out = append(out, m.both.both())
	}
	return out
}

// scriptSource reads a script's file or its source. Exactly one of them must be given.
func (d *decoder) scriptSource(f scriptForm) (code, bool) {
	name := f.File.text
	switch {
	case f.File.given() && f.Source.given():
		d.fail(f.Source.key, lessons.CodeValue, fact.Of("lesson-file-and-source", f.called()), fact.Of("lesson-keep-one"))
	case !f.File.given() && !f.Source.given():
		d.fail(f.node, lessons.CodeMissingKey, fact.Of("lesson-no-source", f.called()), fact.Of("lesson-write-source", f.name))
	case f.Source.given():
		return d.code(f.Source)
	case !f.File.ok():
	case clientScript.MatchString(name):
		known := d.library.clientScripts(clientScript.FindStringSubmatch(name)[1])
		if !slices.Contains(known, name) {
			d.fail(f.File.node, lessons.CodeFile, fact.Of("lesson-no-client-file", name), lessons.Meant(name, known))
			break
		}
		owner, _ := d.library.owner(name)
		return d.luaFile(owner, f.File.node, f.what, name, MostLua)
	case !luaName.MatchString(name):
		d.fail(f.File.node, lessons.CodeFile, fact.Of("lesson-not-beside", name), fact.Of("lesson-name-a-file"))
	default:
		if known := d.library.luaFiles(d.dir); !slices.Contains(known, name) {
			d.fail(f.File.node, lessons.CodeFile, fact.Of("lesson-no-file", name), lessons.Meant(name, known))
			break
		}
		return d.luaFile(d.library, f.File.node, f.what, path.Join(d.dir, name), MostLua)
	}
	return code{}, false
}

func (d *decoder) actors(f *lessonForm) {
	for i, a := range f.Actors.items {
		d.name(a.key, a.name) // an actor with mistakes is declared all the same, or each mention of it would be a mistake
		d.declare("actor", a.name, a.key)
		n, all := equals(f.Actors.items, i)
		actor := lessons.Actor{Name: a.name, Process: a.name}
		process := d.processOf(a, n, all)
		if process.ok() && d.name(process.node, process.text) {
			actor.Process = process.text
		}
		before := d.found
		d.does(a, &actor)
		if n > 0 {
			d.found = before // what is wrong with it was told of the first of them
		}
		d.unlikeNodes(a, process, actor)
		d.lesson.Actors = append(d.lesson.Actors, actor)
		if !slices.Contains(d.processes, actor.Process) {
			d.processes = append(d.processes, actor.Process)
		}
	}
}

// does reads what an actor does, and how often.
func (d *decoder) does(f actorForm, actor *lessons.Actor) {
	if c, ok := d.code(f.Program); ok {
		d.compile(c)
		actor.Program, actor.Place = c.source, d.codePlace(c)
	}
	actor.Count = d.crowd(f.Count)
	if f.Count.ok() && slices.ContainsFunc(d.lesson.Nodes, connects) {
		d.fail(f.Count.node, lessons.CodeValue, fact.Of("lesson-crowd-shares"), fact.Of("lesson-write-equal-actors"))
	}
}

// connects tells whether each actor has a connection of its own to a node.
func connects(n lessons.Node) bool {
	_, is := n.Kind.Row().New(n.Session).(engine.Connected)
	return is
}

const mostInCrowd = 99

// crowd reads the number of clients in a crowd; 0: the actor is no crowd.
func (d *decoder) crowd(t plainText) int {
	if !t.ok() {
		return 0
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 2 || n > mostInCrowd {
		d.fail(t.node, lessons.CodeValue, fact.Of("lesson-no-crowd", t.text), fact.Of("lesson-number-from-two", mostInCrowd))
		return 0
	}
	return n
}

// unlikeNodes reports an actor or a process with the name of a node: faults and statuses could not tell
// them apart.
func (d *decoder) unlikeNodes(f actorForm, process plainText, a lessons.Actor) {
	nodes := d.lesson.NodeNames()
	switch {
	case slices.Contains(nodes, a.Name):
		d.fail(f.key, lessons.CodeDuplicateName, fact.Of("lesson-name-of-node", a.Name), fact.Of("lesson-own-name-actor"))
	case slices.Contains(nodes, a.Process):
		d.fail(process.node, lessons.CodeDuplicateName, fact.Of("lesson-name-of-node", a.Process), fact.Of("lesson-own-name-process"))
	}
}
