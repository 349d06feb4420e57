package lessons

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// File is one of the texts that a lesson is read from. Its name is that in the
// lesson's folder; clients/ lies beside that folder.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Of   string `json:"of,omitempty"` // fingerprint of the file as it was opened; empty: it is new, or its fingerprint covers several files
}

// Fingerprint tells two versions of a lesson's files apart.
func Fingerprint(files []File) string {
	var all []byte
	for _, f := range files {
		all = fmt.Appendf(all, "%d:%s,%d:%s;", len(f.Name), f.Name, len(f.Text), f.Text)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:8])
}
