package ui

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"
)

// The measures of the tree of branches, in pixels. The style sheet gives the rows the same
// height.
const (
	branchHeight = 54
	treeWidth    = 96
	treeMargin   = 8
)

// branchName says where a branch left the one above it or, if that one ends there, the story.
func branchName(v *View, b Branch) string {
	switch {
	case b.Edited:
		return branchEdited.in(v.Lang)
	case b.From >= len(b.Trace.Steps):
		return branchShorter.in(v.Lang, b.From)
	}
	at := b.From
	if at == len(v.Branches[b.Parent].Trace.Steps) && b.Leaves < len(b.Trace.Steps) {
		at = max(at, b.Leaves) // it only goes on where that one ends
	}
	step := &b.Trace.Steps[at]
	return afterStep.in(v.Lang, at, choiceText(v.Lang, &step.After, step.Choice))
}

// branchFacts is how long a branch is, and whether a rule was broken in it.
func branchFacts(v *View, b Branch) string {
	text := pageSteps.in(v.Lang, len(b.Trace.Steps))
	for i := range b.Trace.Steps {
		if len(b.Trace.Steps[i].Broken) > 0 {
			return text + clauseComma.in(v.Lang) + branchBroken.in(v.Lang, i+1)
		}
	}
	return text
}

// tree draws a line for each branch, which begins where it left the one that it belongs to.
func tree(v *View) templ.Component {
	longest := 1
	for _, b := range v.Branches {
		longest = max(longest, len(b.Trace.Steps))
	}
	x := func(step int) string { return strconv.Itoa(treeMargin + step*(treeWidth-2*treeMargin)/longest) }
	y := func(row int) int { return row*branchHeight + branchHeight/2 }
	var p pen
	p.write(`<svg class="tree-lines" width="`, px(treeWidth), `" height="`, px(len(v.Branches)*branchHeight), `" aria-hidden="true">`)
	for i, b := range slices.Backward(v.Branches) { // the present one on top
		class, end := "left", x(len(b.Trace.Steps))
		if i == 0 {
			class = "here"
		}
		p.write(`<path class="`, class, `" d="M`, x(b.From))
		if i == 0 {
			p.write(` `, px(y(0)))
		} else {
			p.write(` `, px(y(b.Parent)), `V`, px(y(i)))
		}
		p.write(`H`, end, `"></path>`)
		for n := range b.Trace.Steps[b.From:] {
			if step := &b.Trace.Steps[b.From+n]; len(step.Broken) > 0 {
				p.write(`<circle class="bad" cx="`, x(step.N), `" cy="`, px(y(i)), `" r="4"></circle>`)
			}
		}
		p.write(`<circle class="`, class, `" cx="`, end, `" cy="`, px(y(i)), `" r="3.5"></circle>`)
	}
	if len(v.Branches) > 0 {
		p.write(`<line class="pos" x1="`, x(v.Pos), `" x2="`, x(v.Pos), `" y1="`, px(y(0)-10), `" y2="`, px(y(0)+10), `"></line>`)
	}
	p.write(`</svg>`)
	return p.drawn()
}
