package draft

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// parts are the literals of a file by what its code calls them: texts that it puts into other texts.
type parts map[string]piece

// Bounds of what is filled: texts in texts could grow without end.
const (
	mostFilled = 16 << 10 // bytes; no longer script can be played
	mostValues = 64
	mostParts  = 300 // texts whose names are looked for
)

func fragments(bare string, all []run) parts {
	found := parts{}
	looked := 0
	for _, r := range all {
		if text := r[0].text; len(text) > mostFilled || looked == mostParts || !strings.Contains(text, "\n") || replies.MatchString(text) {
			continue
		}
		looked++
		name := calledBy(bare, r[0].start)
		if _, known := found[name]; !known && name != "" {
			found[name] = r[0]
		}
	}
	return found
}

var (
	inDollars = regexp.MustCompile(`\$\{([^{}]+)\}|#\{([A-Za-z_@][^{}]*)\}`)
	inBraces  = regexp.MustCompile(`\{()([A-Za-z_][\w.()]*)\}`)
	afterSign = regexp.MustCompile(`[@$]()([A-Za-z_]\w*)`)
	lastName  = regexp.MustCompile(`([A-Za-z_]\w*)\W*$`)
	replies   = regexp.MustCompile(`\n\s*return\b[^\n]*\s*$`) // so ends what is sent by itself
	ownKeys   = regexp.MustCompile(`\bKEYS\b`)
	ownArgs   = regexp.MustCompile(`\bARGV\b`)
)

// fill is a text as the program sends it: with the other texts that it puts in, and with its values as KEYS and ARGV
// under the names that the program gives them.
func (ps parts) fill(p piece) (source string, values []string) {
	source = p.text
	const depth = 3 // of texts in texts
	for range depth {
		size := len(source)
		source = replace(p, source, func(name string) (string, bool) {
			part, known := ps[name]
			if !known || part.start == p.start || size > mostFilled {
				return "", false
			}
			size += len(part.text)
			return part.text, true
		})
	}
	source = replace(p, source, func(name string) (string, bool) {
		if !slices.Contains(values, name) {
			values = append(values, name)
		}
		return mark + name + mark, true
	})
	switch {
	case len(values) == 0:
		return source, nil
	case len(values) > mostValues:
		return p.text, nil
	}
	return named(source, values), values
}

// mark stands around the name of a value until it is known what else the script calls so.
const mark = "\x00"

// replace replaces what stands for something else: in braces where the literal says so, and behind a sign where the text is no Lua.
func replace(p piece, source string, with func(name string) (string, bool)) string {
	patterns := []*regexp.Regexp{inDollars}
	if p.filled {
		patterns = append(patterns, inBraces)
	}
	if _, err := parse(inDollars.ReplaceAllString(source, "nil")); err != nil && !p.filled {
		patterns = append(patterns, afterSign)
	}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		code, comment, commented := strings.Cut(line, "--")
		for _, pattern := range patterns {
			code = pattern.ReplaceAllStringFunc(code, func(whole string) string {
				m := pattern.FindStringSubmatch(whole)
				name := lastName.FindString(m[1] + m[2])
				if name = strings.Trim(name, " .()@"); name == "" {
					return whole
				}
				if text, ok := with(name); ok {
					return text
				}
				return whole
			})
		}
		if lines[i] = code; commented {
			lines[i] += "--" + comment
		}
	}
	return strings.Join(lines, "\n")
}

// named is a script with its values as variables, which are KEYS and ARGV. A value in the script's quotes is a text as it is.
func named(source string, values []string) string {
	var names, places []string
	keys, args := len(ownKeys.FindAllString(source, -1)), len(ownArgs.FindAllString(source, -1))
	for _, value := range values {
		marked := mark + value + mark
		name := value
		if regexp.MustCompile(`\b` + value + `\b`).MatchString(strings.ReplaceAll(source, marked, "")) {
			name = "given_" + value
		}
		isKey := strings.HasSuffix(strings.ToLower(value), "key") ||
			regexp.MustCompile(`call\s*\(\s*['"]\w+['"]\s*,\s*['"]?`+marked).MatchString(source)
		if isKey {
			keys++
			places = append(places, fmt.Sprintf("KEYS[%d]", keys))
		} else {
			args++
			places = append(places, fmt.Sprintf("ARGV[%d]", args))
		}
		names = append(names, name)
		for _, quote := range []string{"'", `"`, ""} {
			source = strings.ReplaceAll(source, quote+marked+quote, name)
		}
	}
	return "local " + strings.Join(names, ", ") + " = " + strings.Join(places, ", ") + " " + source
}
