package ui

import (
	"encoding/json"
	"strconv"
)

// argText and argNumber make data attributes, which the client sends unchanged.
func argText(name, value string) string {
	text, _ := json.Marshal(map[string]string{name: value}) // of texts it cannot fail
	return string(text)
}

func argNumber(name string, value int) string { return `{"` + name + `":` + strconv.Itoa(value) + "}" }
