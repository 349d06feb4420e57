package author

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"lockstep/lessons"
	"lockstep/lessons/decode"
)

// template is the lesson that new ones begin as.
//
//go:embed template
var template embed.FS

// BlankName is the name of the lesson that is nobody's yet.
const BlankName = "new-lesson"

// BlankNumber is its number, which nobody chose.
const BlankNumber = "01"

// Blank is the lesson that a new one begins as.
func (Reader) Blank() *lessons.Lesson { return blank() }

var blank = sync.OnceValue(func() *lessons.Lesson {
	const folder = BlankNumber + "-" + BlankName
	l, problems := Reader{}.Read(folder, New(BlankName, folder))
	if l == nil {
		panic("author: the lesson that new ones begin as cannot be read: " + problems.Error()) // it is part of this program
	}
	return l
})

// New is the files of a new lesson. The path is where they will be, as a shell takes it.
func New(name, path string) []lessons.File {
	title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
	fill := strings.NewReplacer("{{title}}", title, "{{path}}", path)
	var files []lessons.File
	for _, file := range []string{decode.Filename, "lock.lua", "unlock.lua"} {
		text, err := fs.ReadFile(template, "template/"+file)
		if err != nil {
			panic("author: " + err.Error()) // it is part of this program
		}
		files = append(files, lessons.File{Name: file, Text: fill.Replace(string(text))})
	}
	return files
}
