package luaexec

import (
	"math"
	"strconv"

	"lockstep/luaexec/lua"
)

// formatArgument writes a number as redis.call sends it: %.17g.
func formatArgument(f float64) string {
	if i := int64(f); float64(i) == f && i > -1e17 && i < 1e17 && (i != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(i, 10)
	}
	return lua.FormatG(f, 17)
}
