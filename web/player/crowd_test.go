package player

import (
	"fmt"
	"strings"
	"testing"
)

// What a crowd does over and over is drawn as an area, and said once, with how many they are: at the end of a story of
// three hundred steps all of them are in the diagram, and no button leads to earlier ones.
func TestACrowdIsDrawnAsOne(t *testing.T) {
	d := openCatalog(t, builtIn(t), "stock-cas")
	for d.session.View().Pos < 300 {
		d.ok(`"op":"step","n":1`)
	}
	unsaid := strings.Count(d.html["f-timeline"], `unsaid" data-row`)
	if want := 96 + 96 + 95; unsaid != want { // of each run all but the first step and the last
		t.Errorf("%d steps leave their words to another, want %d", unsaid, want)
	}
	for step, times := range map[int]string{100: " ×98<", 200: " ×98<", 299: " ×97<", 300: "→ 0<"} {
		if row := d.rows[fmt.Sprintf("ev-%d", step)]; !strings.Contains(row, times) {
			t.Errorf("step %d does not say %s: %s", step, times, row)
		}
	}
	if strings.Contains(d.html["f-timeline"], `class="more"`) {
		t.Error("steps are left out")
	}
}
