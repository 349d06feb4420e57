package sample_test

import (
	"slices"
	"testing"

	"lockstep/node/sample"
)

func TestSamplesMoveOnAndKeepWhatWasChanged(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f", "g"}
	itself := func(name string) string { return name }
	met := map[string]bool{}
	for _, which := range []string{"40", "41", "42"} {
		t.Setenv("SAMPLE", which)
		t.Setenv("CHANGED_LESSONS", "")
		for _, name := range sample.Lessons(t, all, 2, itself) {
			met[name] = true
		}
		t.Setenv("CHANGED_LESSONS", "02-b 07-g")
		if got := sample.Lessons(t, all, 2, itself); !slices.Contains(got, "b") || !slices.Contains(got, "g") || len(got) > 5 {
			t.Errorf("the sample %s is %v", which, got)
		}
	}
	if len(met) != len(all) {
		t.Errorf("three samples are %v of %v", met, all)
	}
	t.Setenv("SAMPLE", "all")
	if got := sample.Lessons(t, all, 2, itself); !slices.Equal(got, all) {
		t.Errorf("all is %v", got)
	}
}
