package lessons_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/lessons"
	"lockstep/node"
)

// TestEveryKindIsWhole: the page has words for each kind of server in both languages, a new lesson begins
// with it, and lessons with it can be searched.
func TestEveryKindIsWhole(t *testing.T) {
	engines := map[string]bool{}
	for _, k := range lessons.NodeKinds {
		for what, words := range map[string]node.Words{"a server": k.Called, "what it holds": k.Holds} {
			if words.En == "" || words.Zh == "" {
				t.Errorf("%s: %s is called %q", k.Name, what, words)
			}
		}
		if _, err := k.Template.ReadFile("template/lesson.yaml"); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		if _, ok := k.New(0).(engine.Forker); !ok {
			t.Errorf("%s: a search cannot fork a node", k.Name)
		}
		if (k.Give == nil) != (k.Text == "") {
			t.Errorf("%s: it is given keys, and a text is none, or the other way round", k.Name)
		}
		if engines[k.Real.Engine] || (k.Real.Engine == "") != (k.Real.Name == "") {
			t.Errorf("%s: %+v is no engine of its own", k.Name, k.Real)
		}
		engines[k.Real.Engine] = k.Real.Engine != ""
	}
}
