package engine

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/fact"
)

const scheduleVersion = "v1"

// Schedule is the list of choices made so far, for one version of one lesson.
//
// Its text form goes into URLs as it is:
//
//	v1.5f3a9c12.A.A*2.@.@10s.A:watchdog.!crash:jvm-1.!cut:jvm-2:n1.!clock:n3:-2s
//
// that is the version, the lesson's hash, and the choices: an actor's name runs
// it, @ moves the clock to the next due instant, @10s by a span, ! begins any other
// choice, and *n repeats.
type Schedule struct {
	Lesson  string // hash of what the lesson does
	Choices []Choice
}

// String is the text form.
func (s Schedule) String() string {
	parts := []string{scheduleVersion, s.Lesson}
	for i := 0; i < len(s.Choices); {
		n := 1
		for i+n < len(s.Choices) && s.Choices[i+n] == s.Choices[i] {
			n++
		}
		item := s.Choices[i].compact()
		if n > 1 {
			item += "*" + strconv.Itoa(n)
		}
		parts = append(parts, item)
		i += n
	}
	return strings.Join(parts, ".")
}

func (c Choice) compact() string {
	if c.Kind.Of() == AnActor {
		return c.Target
	}
	if c.Kind.Of() == TheClock {
		return "@" + c.span()
	}
	return "!" + strings.NewReplacer(" ", ":", "+", "").Replace(c.String()) // a + is a space in addresses
}

// ParseSchedule reads the text form. An error names the part that is wrong.
func ParseSchedule(text string) (Schedule, error) {
	parts := strings.Split(text, ".")
	if len(parts) < 2 || parts[0] != scheduleVersion {
		return Schedule{}, fact.Of("no-schedule", clip(text), scheduleVersion)
	}
	s := Schedule{Lesson: parts[1]}
	for i, part := range parts[2:] {
		item, times, err := repeated(part)
		if err != nil {
			return Schedule{}, fact.Of("schedule-part", i+1, err)
		}
		c, err := parseCompact(item)
		if err != nil {
			return Schedule{}, fact.Of("schedule-part", i+1, err)
		}
		if len(s.Choices)+times > MaxChoices {
			return Schedule{}, fact.Of("schedule-too-long", MaxChoices)
		}
		s.Choices = append(s.Choices, slices.Repeat([]Choice{c}, times)...)
	}
	return s, nil
}

func repeated(part string) (item string, times int, err error) {
	item, count, found := strings.Cut(part, "*")
	if !found {
		return item, 1, nil
	}
	times, err = strconv.Atoi(count)
	if err != nil || times < 1 || times > MaxChoices {
		return "", 0, fact.Of("schedule-repeats", clip(part), clip(count), MaxChoices)
	}
	return item, times, nil
}

func parseCompact(item string) (Choice, error) {
	switch {
	case item == "@":
		return Choice{Kind: Tick}, nil
	case strings.HasPrefix(item, "@"):
		return ParseChoice("tick " + item[1:])
	case strings.HasPrefix(item, "!"):
		kind, _, _ := strings.Cut(item[1:], ":")
		if k := ChoiceKind(kind); k.Of() != "" && !k.IsFault() {
			return Choice{}, fact.Of("no-fault", clip(item))
		}
		return ParseChoice(strings.ReplaceAll(item[1:], ":", " "))
	case target.MatchString(item):
		return Choice{Kind: Run, Target: item}, nil
	}
	return Choice{}, fact.Of("no-choice", clip(item))
}

func clip(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
