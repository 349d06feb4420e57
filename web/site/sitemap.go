package site

import (
	"encoding/xml"
	"fmt"
	"strings"

	"lockstep/lessons"
	"lockstep/web/ui"
)

// siteMap is the list of pages for search engines, each with what it is called in
// the other language.
func (s *Site) siteMap() []byte {
	var b strings.Builder
	b.WriteString(xml.Header)
	b.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	s.entries(&b, ui.HomePath)
	s.entries(&b, ui.ComparedPath)
	for _, l := range s.catalog {
		s.entries(&b, func(lang lessons.Lang) string { return ui.LessonPath(lang, l.Name) })
	}
	b.WriteString("</urlset>\n")
	return []byte(b.String())
}

func (s *Site) entries(b *strings.Builder, page func(lessons.Lang) string) {
	for _, lang := range languages {
		fmt.Fprintf(b, "<url><loc>%s</loc>", escaped(s.at(page(lang))))
		for _, other := range languages {
			fmt.Fprintf(b, `<xhtml:link rel="alternate" hreflang="%s" href="%s"/>`, ui.Tag(other), escaped(s.at(page(other))))
		}
		b.WriteString("</url>\n")
	}
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder takes everything
	return b.String()
}
