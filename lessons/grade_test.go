package lessons_test

import (
	"testing"

	"lockstep/lessons"
)

func TestAnswersAreComparedByMeaning(t *testing.T) {
	for _, test := range []struct {
		given, expected string
		agree           bool
	}{
		{"1", "1", true},
		{"1", "2", false},
		{` "abc" `, "abc", true},
		{"abc", `"abc"`, true},
		{"“abc”", "abc", true},
		{"abc.", "abc", true},
		{"Yes", "yes", true},
		{"是", "yes", true},
		{"1", "yes", true},
		{"0", "no", true},
		{"0", "yes", false},
		{"−1", "-1", true},
		{"否", "no", true},
		{"没有", "no", true},
		{"否", "yes", false},
		{"nothing", "nil", true},
		{"None", "nil", true},
		{"(nil)", "nil", true},
		{"空", "nil", true},
		{"无", "nil", true},
		{"没有", "nil", true},
		{"0", "nil", false},
		{"没有人", "nobody", true},
		{"30000ms", "30s", true},
		{"30 s", "30s", true},
		{"30", "30s", true},
		{"30000", "30s", true},
		{"30 000", "30s", true},
		{"30 秒", "30s", true},
		{"30000 毫秒", "30s", true},
		{"half a minute", "30s", true},
		{"半分钟", "30s", true},
		{"ten seconds", "10s", true},
		{"ten", "10s", true},
		{"十秒", "10s", true},
		{"zero", "0", true},
		{"minus one", "-1", true},
		{"负一", "-1", true},
		{"两", "2", true},
		{"twelve", "12", true},
		{"one", "2", false},
		{"十二", "12", false},
		{"二十", "10", false},
		{"0.5 min", "30s", true},
		{"3", "30s", false},
		{"30 000", "30000", true},
		{"30,000", "30000", true},
		{"30000 ms", "30000", true},
		{"30 s", "30000", true},
		{"30 seconds", "30000", true},
		{"30", "30000", false},
		{"B, A", "A, B", true},
		{"b和a", "A, B", true},
		{"A and B", "A, B", true},
		{"A", "A, B", false},
		{"7 C", "7 C", true},
		{"C 7", "7 C", false},
		{"３００００", "30000", true},
		{"３０ｓ", "30s", true},
		{"ＡＢＣ！", "abc", true},
		{"AB", "A, B", true},
		{"CA", "A, C", true},
		{"AC", "A, B", false},
		{"AB", "A1, B1", false},
		{"空", "nobody", true},
		{"不在了", "no", true},
		{"不成功", "no", true},
		{"成功", "yes", true},
		{"成功", "no", false},
		{"不存在", "nil", true},
		{"不成功", "(error) ERROR 1062 (23000): Duplicate entry", true},
		{"成功", "(error) ERROR 1062 (23000): Duplicate entry", false},
		{"", "0", false},
		{"", "", false},
	} {
		if got := (&lessons.Lesson{}).Right(&lessons.Ask{}, test.given, test.expected); got != test.agree {
			t.Errorf("Right(%q, %q) = %t", test.given, test.expected, got)
		}
	}
}
