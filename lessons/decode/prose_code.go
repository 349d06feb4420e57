package decode

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"lockstep/lessons/highlight"
)

// coloured draws the code of a text in the colours of the page's scripts.
type coloured struct{}

// RegisterFuncs takes code over from goldmark's own renderer.
func (coloured) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindCodeSpan, codeSpan)
	r.Register(ast.KindFencedCodeBlock, codeBlock)
}

func codeSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var code strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if text, ok := c.(*ast.Text); ok {
			code.Write(text.Segment.Value(source))
		}
	}
	text := strings.ReplaceAll(code.String(), "\n", " ")
	_, err := w.WriteString("<code>" + highlight.Inline(text) + "</code>")
	return ast.WalkSkipChildren, err
}

func codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	var code strings.Builder
	for i := range block.Lines().Len() {
		line := block.Lines().At(i)
		code.Write(line.Value(source))
	}
	drawn := highlight.Block(string(block.Language(source)), code.String())
	_, err := w.WriteString("<pre><code>" + strings.TrimRight(drawn, "\n") + "</code></pre>\n")
	return ast.WalkSkipChildren, err
}
