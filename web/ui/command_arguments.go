package ui

import (
	"encoding/json"
	"strconv"
)

// argText and argNumber make data attributes, which the client sends unchanged.
func argText(name, value string) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "{}"
	}
	return `{"` + name + `":` + string(text) + "}"
}

func argNumber(name string, value int) string { return `{"` + name + `":` + strconv.Itoa(value) + "}" }
