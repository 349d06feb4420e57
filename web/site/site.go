package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"lockstep/lessons"
	"lockstep/lessons/author"
	"lockstep/web/player"
	"lockstep/web/ui"
)

// Site is the files of a playground, in memory.
type Site struct {
	files map[string][]byte // by path from the site's folder
	order []string          // of files, as they are to be written: what a page names comes before it

	catalog []*lessons.Lesson
	base    *url.URL
	assets  assets
}

// Make draws a site of lessons in teaching order. base is where it will be, as a
// path or a whole address that ends in a slash: the site map and the page for
// addresses that lead nowhere need it, all else works from any folder.
func Make(ctx context.Context, catalog []*lessons.Lesson, base *url.URL) (*Site, error) {
	assets, err := readAssets(catalog)
	if err != nil {
		return nil, err
	}
	s := &Site{files: map[string][]byte{}, catalog: catalog, base: base, assets: assets}
	for _, name := range assets.order {
		s.put(name, assets.files[name])
	}
	if err := s.drawPages(ctx); err != nil {
		return nil, err
	}
	s.put("sitemap.xml", s.siteMap())
	s.put("robots.txt", []byte("Sitemap: "+s.at("sitemap.xml")+"\n"))
	s.put(".nojekyll", nil) // GitHub's hosts would take the files for sources of a blog
	return s, s.putOffline()
}

func (s *Site) put(name string, data []byte) {
	s.files[name] = data
	s.order = append(s.order, name)
}

// at is the address of a file where the site will be.
func (s *Site) at(name string) string { return s.base.JoinPath(name).String() }

var languages = []lessons.Lang{lessons.En, lessons.Zh}

func (s *Site) drawPages(ctx context.Context) error {
	playground := &player.Playground{Catalog: player.NewCatalog(s.catalog), Engines: player.WithoutServer(), Author: player.NewAuthor(author.Reader{}, nil)}
	gallery := player.Gallery(ctx, playground.Catalog.Now())
	for _, lang := range languages {
		if err := s.draw(ctx, ui.HomePath(lang), ui.Home(lang, s.catalog, nil, gallery, s.shell())); err != nil {
			return err
		}
		if err := s.draw(ctx, ui.ComparedPath(lang), ui.LocksCompared(lang, s.catalog, s.shell())); err != nil {
			return err
		}
		for _, l := range append(slices.Clone(s.catalog), playground.Author.Blank()) {
			if err := s.drawLesson(ctx, playground, l, lang); err != nil {
				return err
			}
		}
	}
	if err := s.draw(ctx, "", ui.Doorway(s.shell())); err != nil {
		return err
	}
	return s.draw(ctx, notFound, ui.MissingPage(s.shell()))
}

// drawLesson draws the pages of a lesson, and those at the addresses that it had.
func (s *Site) drawLesson(ctx context.Context, p *player.Playground, l *lessons.Lesson, lang lessons.Lang) error {
	if err := s.record(ctx, p, l.Name, lang); err != nil {
		return err
	}
	session := p.NewSession("site")
	if err := session.Load(ctx, player.Place{Lesson: l.Name, Lang: lang}); err != nil {
		return fmt.Errorf("lesson %s: %w", l.Name, err)
	}
	err := s.draw(ctx, ui.LessonPath(lang, l.Name), ui.Page(session.View(), s.shell()))
	if err == nil {
		err = s.draw(ctx, ui.EmbedPath(lang, l.Name), ui.LessonDoorway(lang, l, ui.ViewEmbed, "", s.shell()))
	}
	for _, old := range l.Formerly {
		if err == nil && p.Catalog.Now().Moved(old) == l.Name {
			err = errors.Join(
				s.draw(ctx, ui.LessonPath(lang, old), ui.LessonDoorway(lang, l, "", old, s.shell())),
				s.draw(ctx, ui.EmbedPath(lang, old), ui.LessonDoorway(lang, l, ui.ViewEmbed, old, s.shell())))
		}
	}
	if err != nil {
		return err
	}
	if err := session.Close(); err != nil {
		return fmt.Errorf("lesson %s: %w", l.Name, err)
	}
	return nil
}

// record puts the frames of a story, compressed: pages play them until they have a player.
func (s *Site) record(ctx context.Context, p *player.Playground, lesson string, lang lessons.Lang) error {
	frames, err := p.Record(ctx, lesson, lang)
	if err != nil {
		return err
	}
	zipped, err := zip(frames)
	if err != nil {
		return err
	}
	name := ui.StoryFile(lang, lesson)
	at := hashed(name, frames) + ".gz"
	s.assets.names[name] = at
	s.put(at, zipped)
	return nil
}

// notFound is what hosts show at addresses that lead nowhere.
const notFound = "404.html"

// draw puts the page of an address that ends in a slash, or of a file.
func (s *Site) draw(ctx context.Context, address string, page templ.Component) error {
	var html bytes.Buffer
	if err := page.Render(ctx, &html); err != nil {
		return fmt.Errorf("the page %s cannot be drawn: %w", address, err)
	}
	if address == "" || strings.HasSuffix(address, "/") {
		address = path.Join(address, "index.html")
	}
	s.put(address, html.Bytes())
	return nil
}

func (s *Site) shell() ui.Shell {
	return ui.Shell{
		File: s.assets.address, Blank: author.BlankName, Root: s.base.EscapedPath(), Build: s.assets.build,
		Offline: offlineScript, Zipped: true, Policy: ui.Policy,
	}
}
