package class

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"strings"
)

// letters of codes: none that is read as another.
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

const codeLength = 6

func newCode() string {
	random := make([]byte, codeLength)
	_, _ = rand.Read(random) // it never fails
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return string(random)
}

// ParseCode reads a code as people type it; false: it is none.
func ParseCode(text string) (string, bool) {
	code := strings.ToUpper(strings.Join(strings.Fields(text), ""))
	return code, len(code) == codeLength && strings.Trim(code, letters) == ""
}

// NewToken is a secret of at least 128 random bits by which a browser proves itself.
func NewToken() string { return rand.Text() }

// Hash is the public name of whoever has a token: 80 bits of its SHA-256, from which the token cannot be found.
func Hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base32.StdEncoding.EncodeToString(sum[:10])
}

// Network is a mark of where somebody is: enough to count who joins a class from one network, and too little to find
// its address again.
func Network(code, address string) string {
	sum := sha256.Sum256([]byte(code + " " + address))
	return hex.EncodeToString(sum[:2])
}

// IsTeacher tells whether a token is the teacher's.
func (s *State) IsTeacher(token string) bool {
	return s.Teacher != "" && subtle.ConstantTimeCompare([]byte(Hash(token)), []byte(s.Teacher)) == 1
}
