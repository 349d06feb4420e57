package real

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
)

// withEntryID fills in the id of XADD with *, for which the server would take its own clock:
// the virtual time with the next number of that millisecond.
func (n *Node) withEntryID(args []string) []string {
	args = slices.Clone(args)
	if i := entryIDAt(args); i > 0 && args[i] == "*" {
		args[i] = n.nextID(args[1])
	}
	return args
}

// entryIDAt is the position of the id among the arguments of XADD; 0 if there is none.
func entryIDAt(args []string) int {
	if len(args) < 5 || !strings.EqualFold(args[0], "xadd") {
		return 0
	}
	for i := 2; i < len(args); i++ {
		switch strings.ToUpper(args[i]) {
		case "NOMKSTREAM":
		case "LIMIT":
			i++
		case "MAXLEN", "MINID":
			if i++; i < len(args) && (args[i] == "=" || args[i] == "~") {
				i++
			}
		default:
			return i
		}
	}
	return 0
}

// nextID is the id that * stands for: of now, or of the last entry if that is later.
func (n *Node) nextID(stream string) string {
	at := engine.EpochMillis(n.now)
	if h, ok := n.keys[n.prefix+stream]; ok && h.key.Type == engine.StreamKey && len(h.key.Items) > 0 {
		last, _, _ := strings.Cut(h.key.Items[len(h.key.Items)-1].Name, "-")
		if ms, err := strconv.ParseInt(last, 10, 64); err == nil {
			at = max(at, ms)
		}
	}
	return strconv.FormatInt(at, 10) + "-*"
}
