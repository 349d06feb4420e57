package decode

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	yaml "github.com/goccy/go-yaml/ast"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"lockstep/lessons"
)

// mostProse bounds what is said in one beat, in bytes.
const mostProse = 8 << 10

// english and chinese drop raw HTML, which render refuses before. Chinese has no
// blank where a line ends within a sentence.
var (
	english = goldmark.New()
	chinese = goldmark.New(goldmark.WithExtensions(
		extension.NewCJK(extension.WithEastAsianLineBreaks(extension.EastAsianLineBreaksCSS3Draft)),
	))
)

// prose reads Markdown in both languages and renders it.
func (d *decoder) prose(n yaml.Node) lessons.Prose {
	t := d.table(n, "the text", bothLanguages, "en", "zh")
	p := lessons.Prose{Source: lessons.Text{En: d.language(t, "en"), Zh: d.language(t, "zh")}}
	p.HTML.En = d.render(english, t.get("en"), p.Source.En)
	p.HTML.Zh = d.render(chinese, t.get("zh"), p.Source.Zh)
	return p
}

// render makes safe HTML of Markdown: no raw HTML, no pictures, and links only
// to pages of the web or of this site.
func (d *decoder) render(markdown goldmark.Markdown, n yaml.Node, source string) string {
	if source == "" {
		return ""
	}
	if len(source) > mostProse {
		d.fail(n, fmt.Sprintf("a text may have %d bytes, and this has %d", mostProse, len(source)), "tell it in two beats")
		return ""
	}
	src := []byte(source)
	doc := markdown.Parser().Parse(text.NewReader(src))
	err := ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			d.fail(n, "HTML cannot stand in a text", "put what stands in < > between backquotes")
			return ast.WalkStop, nil
		case *ast.Image:
			d.fail(n, "a picture cannot stand in a text", "say it in words")
			return ast.WalkStop, nil
		case *ast.Link:
			return d.link(n, node, string(node.Destination)), nil
		case *ast.AutoLink:
			return d.link(n, node, string(node.URL(src))), nil
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err == nil {
		err = markdown.Renderer().Render(&out, src, doc)
	}
	if err != nil {
		d.fail(n, fmt.Sprintf("this Markdown cannot be rendered: %v", err), "")
	}
	return strings.TrimSpace(out.String())
}

func (d *decoder) link(n yaml.Node, node ast.Node, to string) ast.WalkStatus {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" || u.Scheme == "" && u.Host != "" {
		d.fail(n, fmt.Sprintf("%q is no link that a text may have", to), "link to an http or https page, or within this site")
		return ast.WalkStop
	}
	node.SetAttributeString("rel", []byte("noopener"))
	return ast.WalkContinue
}
