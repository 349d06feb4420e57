package decode

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"
	"unicode"

	yaml "github.com/goccy/go-yaml/ast"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"lockstep/engine/fact"
	"lockstep/lessons"
)

// mostProse bounds what is said in one beat, in bytes.
const mostProse = 8 << 10

// english and chinese drop raw HTML, which render refuses before. Chinese has no
// blank where a line ends within a sentence.
var (
	inColour = goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(coloured{}, 100)))
	english  = goldmark.New(inColour)
	chinese  = goldmark.New(inColour, goldmark.WithExtensions(
		extension.NewCJK(extension.WithEastAsianLineBreaks(extension.EastAsianLineBreaksCSS3Draft)),
	))
)

// prose renders Markdown in both languages.
func (d *decoder) prose(f proseForm) lessons.Prose {
	return lessons.Prose{Source: textForm(f).both(), HTML: lessons.Text{
		En: d.render(english, cmp.Or(f.En.node, f.node), f.En.text),
		Zh: d.render(chinese, cmp.Or(f.Zh.node, f.node), f.Zh.text),
	}}
}

// render makes safe HTML of Markdown: no raw HTML, no pictures, and links only
// to pages of the web or of this site.
func (d *decoder) render(markdown goldmark.Markdown, n yaml.Node, source string) string {
	if source == "" {
		return ""
	}
	if len(source) > mostProse {
		d.fail(n, lessons.CodeLimit, fact.Of("lesson-long-prose", mostProse, len(source)), fact.Of("lesson-split-beats"))
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
			d.fail(n, lessons.CodeProse, fact.Of("lesson-html"), fact.Of("lesson-backquotes"))
			return ast.WalkStop, nil
		case *ast.Image:
			d.fail(n, lessons.CodeProse, fact.Of("lesson-picture"), fact.Of("lesson-in-words"))
			return ast.WalkStop, nil
		case *ast.Link:
			return d.link(n, node, string(node.Destination)), nil
		case *ast.AutoLink:
			if node.AutoLinkType == ast.AutoLinkEmail {
				return d.link(n, node, "mailto:"+string(node.URL(src))), nil
			}
			return d.link(n, node, string(node.URL(src))), nil
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err == nil {
		err = markdown.Renderer().Render(&out, src, doc)
	}
	if err != nil {
		d.fail(n, lessons.CodeProse, fact.Of("lesson-markdown", err), fact.Fact{})
	}
	return strings.TrimSpace(out.String())
}

// link lets a text lead to a page of this site, or to one of the web, which opens
// beside this one and learns nothing of it.
func (d *decoder) link(n yaml.Node, node ast.Node, to string) ast.WalkStatus {
	u, err := url.Parse(to)
	switch {
	case err != nil, strings.ContainsFunc(to, misleading):
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil:
		node.SetAttributeString("target", []byte("_blank"))
		node.SetAttributeString("rel", []byte("noopener noreferrer"))
		return ast.WalkContinue
	case u.Scheme == "" && u.Host == "" && u.Opaque == "":
		return ast.WalkContinue
	}
	d.fail(n, lessons.CodeProse, fact.Of("lesson-no-link", to), fact.Of("lesson-link-to"))
	return ast.WalkStop
}

// misleading tells what browsers read as something else, or not at all: \ is / to
// them, and tabs and line ends are dropped.
func misleading(r rune) bool {
	return r == '\\' || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

func (t *textForm) read(d *decoder, p at) {
	d.languages(t, p)
	for _, own := range []plainText{t.En, t.Zh} {
		if own.ok() && len(own.text) > mostText {
			d.fail(own.node, lessons.CodeLimit, fact.Of("lesson-long-text", p.called(), mostText, len(own.text)), fact.Of("lesson-shorter"))
		}
	}
}

func (t textForm) both() lessons.Text { return lessons.Text{En: t.En.text, Zh: t.Zh.text} }

func (f *proseForm) read(d *decoder, p at) { d.languages((*textForm)(f), p) }

// sentence is how many words are more than a name, which may be the same in both languages, as code in a comment may.
const sentence = 5

// languages reads what a text is in both languages. Where one is missing the other
// stands for it, and a warning says so.
func (d *decoder) languages(t *textForm, p at) {
	p.write = "lesson-write-both"
	sound := d.keys(t, p)
	for _, own := range []plainText{t.En, t.Zh} {
		if own.ok() && strings.TrimSpace(own.text) == "" {
			d.fail(own.node, lessons.CodeValue, fact.Of("lesson-empty-value", own.called()), fact.Of("lesson-write-both"))
		}
	}
	switch {
	case !sound: // and that was said
	case !t.En.given() && !t.Zh.given():
		d.fail(p.node, lessons.CodeMissingKey, fact.Of("lesson-no-language", p.called()), fact.Of("lesson-write-both"))
	case t.Zh.text == t.En.text && len(strings.Fields(t.En.text)) >= sentence && !strings.HasPrefix(t.En.text, "--"):
		d.warn(t.Zh.node, lessons.CodeMissingLanguage, fact.Of("lesson-same-twice", p.called()), fact.Of("lesson-translate"))
	case !t.Zh.given():
		d.warn(t.En.key, lessons.CodeMissingLanguage, fact.Of("lesson-no-chinese", p.called()), fact.Of("lesson-add-chinese"))
		t.Zh.text = t.En.text
	case !t.En.given():
		d.warn(t.Zh.key, lessons.CodeMissingLanguage, fact.Of("lesson-no-english", p.called()), fact.Of("lesson-add-english"))
		t.En.text = t.Zh.text
	}
}
