package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"lockstep/web/ui"
)

// offlineScript is the service worker, which lies beside all that it answers for.
const offlineScript = "sw.js"

// kept tells the service worker what to keep.
type kept struct {
	Build  string   `json:"build"`
	Pages  []string `json:"pages"`  // addresses, from the site's folder
	Files  []string `json:"files"`  // that never change
	Zipped []string `json:"zipped"` // such files with a copy that has .gz at the end
	Later  []string `json:"later"`  // such files that few need: they are kept once they were asked for
}

// putOffline puts the service worker. It comes last: it names everything.
func (s *Site) putOffline() error {
	k := kept{}
	k.Files, k.Zipped, k.Later = s.assets.forOffline()
	all := sha256.New()
	for _, name := range s.order {
		all.Write(s.files[name])
		if page, ok := strings.CutSuffix(name, "index.html"); ok && !strings.HasPrefix(page, ui.ViewEmbed+"/") { // frames are on other sites
			k.Pages = append(k.Pages, page)
		}
	}
	k.Pages = append(k.Pages, notFound)
	k.Build = hex.EncodeToString(all.Sum(nil)[:8])
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	s.put(offlineScript, fmt.Appendf(nil, "const site=%s;\n%s", text, s.assets.serviceWorker))
	return nil
}
