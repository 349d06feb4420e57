package ui

import (
	"testing"

	"lockstep/lessons"
)

func TestCommentsAreInTheReadersLanguage(t *testing.T) {
	const source = "return 1; -- 返回结果"
	for _, tt := range []struct {
		lang lessons.Lang
		want string
	}{
		{lessons.En, `<i class="c"><span class="translated">-- the result</span><span class="original" lang="zh-Hans">-- 返回结果</span></i>`},
		{lessons.Zh, `<i class="c">-- 返回结果</i>`},
	} {
		want := `<ol class="lua"><li><i class="k">return</i> <i class="n">1</i>; ` + tt.want + `</li></ol>`
		v := &View{Lang: tt.lang, Lesson: &lessons.Lesson{}}
		if got := luaHTML(v.lines(source), 0); got != want {
			t.Errorf("in %s:\ngot  %s\nwant %s", tt.lang, got, want)
		}
	}
	v := scene(t, "start", lessons.En)
	l := *v.Lesson
	l.Scripts, l.Client = []lessons.Script{{Name: "x", Source: source}}, lessons.Client{}
	v.Lesson = &l
	if !translates(&v) {
		t.Error("the page does not offer the original comments")
	}
	if v.Lang = lessons.Zh; translates(&v) {
		t.Error("the page offers Chinese readers what they see")
	}
}
