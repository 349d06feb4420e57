package decode

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
)

// Code is drawn in the colours of the page's scripts, and links lead out of the page or within it.
func TestCodeAndLinksInProse(t *testing.T) {
	for source, want := range map[string]string{
		"Read `GET\nk`.":                      `<p>Read <code><i class="r">GET</i> k</code>.</p>`,
		"Run:\n\n```lua\nreturn 1\n-- x\n```": "<p>Run:</p>\n<pre><code><i class=\"k\">return</i> <i class=\"n\">1</i>\n<i class=\"c\">-- x</i></code></pre>",
		"[next](../fair-lock/#step)":          `<p><a href="../fair-lock/#step">next</a></p>`,
		"[next](/en/fair-lock/)":              `<p><a href="/en/fair-lock/">next</a></p>`,
		"<https://redis.io>":                  `<p><a href="https://redis.io" target="_blank" rel="noopener noreferrer">https://redis.io</a></p>`,
		"[plain](http://redis.io)":            `<p><a href="http://redis.io" target="_blank" rel="noopener noreferrer">plain</a></p>`,
	} {
		var d decoder
		if got := d.render(english, nil, source); got != want {
			t.Errorf("%q is shown as\n%s\nwant\n%s", source, got, want)
		}
	}
}

func TestLineBreaksInProse(t *testing.T) {
	for _, tt := range []struct {
		markdown     goldmark.Markdown
		source, want string
	}{
		{english, "It succeeds.\nThe owner is next.", "It succeeds.\nThe owner is next."},
		{english, "a third of the\nlease", "a third of the\nlease"},
		{chinese, "加锁成功。\n持有者是它", "加锁成功。持有者是它"},
		{chinese, "A 拿到锁，\n到期就释放", "A 拿到锁，到期就释放"},
	} {
		var d decoder
		got := strings.TrimSuffix(strings.TrimPrefix(d.render(tt.markdown, nil, tt.source), "<p>"), "</p>")
		if got != tt.want {
			t.Errorf("%q is shown as %q, want %q", tt.source, got, tt.want)
		}
	}
}
