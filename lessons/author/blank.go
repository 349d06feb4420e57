package author

import (
	"strings"
	"sync"

	"lockstep/lessons"
)

// BlankName is the name of the lesson that is nobody's yet.
const BlankName = "new-lesson"

// BlankNumber is its number, which nobody chose.
const BlankNumber = "01"

// Blank is the lesson that a new one begins as.
func (Reader) Blank() *lessons.Lesson { return blank() }

var blank = sync.OnceValue(func() *lessons.Lesson {
	const folder = BlankNumber + "-" + BlankName
	l, problems := Reader{}.Read(folder, New(lessons.Redis, BlankName, folder))
	if l == nil {
		panic("author: the lesson that new ones begin as cannot be read: " + problems.Error()) // it is part of this program
	}
	return l
})

// New is the files of a new lesson with a node of a kind. The path is where they will be, as a
// shell takes it.
func New(kind lessons.NodeKind, name, path string) []lessons.File {
	title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "-", " ")
	fill := strings.NewReplacer("{{title}}", title, "{{path}}", path)
	const folder = "template"
	template := kind.Row().Template
	entries, err := template.ReadDir(folder) // lesson.yaml comes before the scripts
	if err != nil {
		panic("author: " + err.Error()) // it is part of this program
	}
	var files []lessons.File
	for _, e := range entries {
		text, err := template.ReadFile(folder + "/" + e.Name())
		if err != nil {
			panic("author: " + err.Error())
		}
		files = append(files, lessons.File{Name: e.Name(), Text: fill.Replace(string(text))})
	}
	return files
}
