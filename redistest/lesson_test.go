package redistest_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"lockstep/lessons/decode"
	"lockstep/redistest"
)

// Each failure has a lesson of its own, called after its test, and the test says where its page is.
func TestEachFailureHasALessonOfItsOwn(t *testing.T) {
	if os.Getenv(howItFails) != "" {
		redistest.Explore(t, guide, redistest.Bounds{Ticks: 2})
		return
	}
	dir := t.TempDir()
	for _, v := range []redistest.Verdict{
		redistest.Search(t, guide, redistest.Bounds{Ticks: 2}), redistest.Search(t, withoutTTL, redistest.Bounds{}), redistest.Search(t, guide, redistest.Bounds{Ticks: 2}),
	} {
		if err := v.WriteLesson(dir); err != nil {
			t.Fatal(err)
		}
	}
	all, err := decode.Library{FS: os.DirFS(dir)}.All()
	if err != nil || len(all) != 2 || all[0].Name != "testeachfailurehasalessonofitsown" || all[1].Name != all[0].Name+"-2" {
		t.Errorf("%v %v", all, err)
	}
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.artifacts", "-test.outputdir="+dir) //nolint:gosec // it is this program
	again.Env = append(os.Environ(), howItFails+"=1")
	out, err := again.CombinedOutput()
	told := regexp.MustCompile(`playground serve --lessons (\S+)\s+and open http://127\.0\.0\.1:8080/en/lessons/(\S+)/`).FindStringSubmatch(string(out))
	if err == nil || told == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if all, err = (decode.Library{FS: os.DirFS(told[1])}).All(); err != nil || len(all) != 1 || all[0].Name != told[2] || !strings.Contains(all[0].YAML, "released-by-its-holder") {
		t.Errorf("%v %v\n%s", all, err, out)
	}
}
