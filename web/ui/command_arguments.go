package ui

import (
	"encoding/json"
	"strconv"
	"strings"
)

// argText and argNumber make data attributes, which the client sends unchanged.
func argText(name, value string) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "{}"
	}
	return `{"` + name + `":` + string(text) + "}"
}

// argTimes is argText, with how often when that is more than once.
func argTimes(name, value string, times int) string {
	text := argText(name, value)
	if times > 1 {
		text = strings.TrimSuffix(text, "}") + `,"n":` + strconv.Itoa(times) + "}"
	}
	return text
}

func argNumber(name string, value int) string { return `{"` + name + `":` + strconv.Itoa(value) + "}" }
