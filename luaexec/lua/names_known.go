package lua

// wellKnown are names that libraries and scripts share. A table finds a key that
// is the very same string without looking at its bytes.
var wellKnown = func() map[string]Value {
	m := map[string]Value{}
	for _, name := range []string{
		"redis", "call", "pcall", "KEYS", "ARGV", "string", "table", "math", "cjson", "cmsgpack", "struct", "bit",
		"encode", "decode", "tonumber", "tostring", "type", "pairs", "ipairs", "unpack", "select", "error", "assert",
		"insert", "remove", "concat", "sort", "format", "sub", "gsub", "find", "match", "gmatch", "rep", "len",
		"byte", "char", "lower", "upper", "floor", "ceil", "max", "min", "random", "abs", "ok", "err",
		"error_reply", "status_reply", "sha1hex", "log", "next", "setmetatable", "getmetatable", "rawget", "rawset",
	} {
		m[name] = constant(name)
	}
	return m
}()

// Name is a string that is likely to be a name in scripts.
func Name(s string) Value {
	if v, ok := wellKnown[s]; ok {
		return v
	}
	return String(s)
}
