package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/node/sample"
)

// claimingLesson says of all its schedules that one breaks in three moves, and how to repair it.
const claimingLesson = `title: {en: "Too much work", zh: "活太多"}
summary: {en: "A lease of ten seconds.", zh: "租约十秒。"}
chapter: more
level: basic
actors:
  A: {program: 'if redis.call("SET", "lock", me, "NX", "PX", 10000) then enter("lock") work("12s") end'}
  B: {program: 'while not redis.call("SET", "lock", me, "NX", "PX", 10000) do sleep("4s") end enter("lock") work("6s")'}
invariants: [mutual-exclusion]
verdicts: [{breaks: mutual-exclusion, in: 3}]
story: [{run: A, expect: {reply: OK}}]
challenge:
  say: {en: "Repair it.", zh: "修好它。"}
  goal: {repair: mutual-exclusion}
  hint: {en: "How long does it work?", zh: "它要干多久？"}
  edits:
    program:A: 'if redis.call("SET", "lock", me, "NX", "PX", 15000) then enter("lock") work("12s") end'
`

const proofSaid = `document.querySelector('#f-proof p')?.textContent`

// What a lesson claims is proven before everybody sees it.
func TestAFalseVerdictCannotBeSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "01-queue", "lesson.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(newLesson), 0o600); err != nil {
		t.Fatal(err)
	}
	holds := func(want string) {
		t.Helper()
		if text, err := os.ReadFile(file); err != nil || string(text) != want {
			t.Errorf("the file has %s (%v)", text, err)
		}
	}
	a := serve(t, "--lessons", dir, "--edit") // which outlives the tab
	b := onScreen(t)
	b.emulate(looks[0])
	b.visit(a.url + "/en/lessons/queue/")
	b.openAuthor()
	b.paste(strings.Replace(claimingLesson, "in: 3", "in: 4", 1))
	b.until(proofSaid + ` === 'Not proven yet: 1 verdict, 1 repair.'`)
	b.save()
	b.until(authorSaid + `.startsWith('Nothing was saved: 01-queue/lesson.yaml:9:12 claims what a search finds to be false.')`)
	b.until(proofSaid + ` === 'False: 1 verdict. Proven: 1 repair.'`)
	b.until(authorProblems + `.includes('want: it breaks in 4\n  got:  it breaks in 3: mutual-exclusion')`)
	holds(newLesson)
	b.isAccessible("en", "author-false")
	b.do(press("#author-text"))
	b.paste(claimingLesson)
	b.until(proofSaid + ` === 'Not proven yet: 1 verdict, 1 repair.'`)
	b.save()
	b.until(authorSaid + ` === 'Saved.'`)
	b.until(proofSaid + ` === 'Proven: 1 verdict, 1 repair.'`)
	holds(claimingLesson)
}

func TestATextIsProvenOnThePage(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=browser"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			b := onScreen(t)
			b.visit(serve(t).url + "/zh/lessons/new-lesson/" + engine)
			b.until(inAuthor)
			b.paste(claimingLesson)
			b.until(proofSaid + ` === '尚未证明：1 条断言、1 个修复。'`)
			eval[bool](b, `(window.told = [], new MutationObserver(() => told.push(`+proofSaid+`)).observe(document.querySelector('#author'), {subtree: true, childList: true, characterData: true}), true)`)
			b.do(press("#author-prove"))
			b.until(proofSaid + ` === '已证明：1 条断言、1 个修复。'`)
			if !eval[bool](b, `told.some((text) => text.startsWith('正在证明第 1 项，共 2 项'))`) {
				t.Errorf("the page told %s", eval[string](b, `told.join('\n')`))
			}
		})
	}
}

// An author has a rule searched and what happens filled in, sees both beside the text, and takes the text back.
func TestARuleIsSearchedAndATextFilledIn(t *testing.T) {
	t.Parallel()
	for _, engine := range sample.Sample(t, []string{"", "?e=browser"}, sample.PlacesTried) {
		t.Run("engine"+engine, func(t *testing.T) {
			t.Parallel()
			b := onScreen(t)
			b.emulate(looks[0])
			b.visit(serve(t).url + "/en/lessons/new-lesson/" + engine)
			b.until(inAuthor)
			b.paste(strings.Replace(claimingLesson, "in: 3", "in: 4", 1))
			b.until(proofSaid + ` === 'Not proven yet: 1 verdict, 1 repair.'`)
			b.do(press("#author-search-0"))
			b.until(`document.querySelectorAll('.author-rules ol li').length === 3`)
			b.until(`document.querySelector('.author-rules li p').textContent.includes('Enough to break it')`)
			b.isAccessible("en", "author-rule")
			b.do(press("#author-fill"))
			b.until(authorSaid + `.startsWith('Filled in.')`)
			b.until(`(` + authorText + `).includes('in: 3')`)
			b.until(proofSaid + ` === 'Proven: 1 verdict, 1 repair.'`)
			b.isAccessible("en", "author-filled")
			b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
			b.until(`(` + authorText + `).includes('in: 4')`)
		})
	}
}
