package decode

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
)

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
