package decode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// schema is the part of JSON Schema that the format needs.
type schema struct {
	Schema               string      `json:"$schema,omitempty"`
	ID                   string      `json:"$id,omitempty"`
	Title                string      `json:"title,omitempty"`
	Description          string      `json:"description,omitempty"`
	Type                 any         `json:"type,omitempty"` // one name, or several
	Enum                 []string    `json:"enum,omitempty"`
	Pattern              string      `json:"pattern,omitempty"`
	Properties           *properties `json:"properties,omitempty"`
	Required             []string    `json:"required,omitempty"`
	PropertyNames        *schema     `json:"propertyNames,omitempty"`
	AdditionalProperties any         `json:"additionalProperties,omitempty"` // false, or a schema
	MinProperties        int         `json:"minProperties,omitempty"`
	MaxProperties        int         `json:"maxProperties,omitempty"`
	Items                *schema     `json:"items,omitempty"`
	MinItems             int         `json:"minItems,omitempty"`
	MaxItems             int         `json:"maxItems,omitempty"`
	AnyOf                []*schema   `json:"anyOf,omitempty"`
}

// properties keeps the order of the format.
type properties struct {
	names   []string
	schemas []*schema
}

// MarshalJSON writes an object.
func (p *properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, name := range p.names {
		sep := ","
		if i == 0 {
			sep = "{"
		}
		fmt.Fprintf(&b, "%s%q:", sep, name)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(p.schemas[i]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schema is the format of a lesson as a JSON Schema (draft 2020-12), for editors:
// keys to complete, texts to show and shapes to check. Decoding checks more.
func Schema() ([]byte, error) {
	s := objectShape(reflect.TypeFor[lessonForm]())
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.ID = "urn:lockstep:lesson"
	s.Title = "A Lockstep lesson"
	s.Description = "What a lesson.yaml may hold. playground check says what else must be true of it."
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("the schema of lessons cannot be written: %w", err)
	}
	return out.Bytes(), nil
}

// objectShape is a mapping that has the keys of a form and no others.
func objectShape(t reflect.Type) *schema {
	s := &schema{Type: "object", Properties: &properties{}, AdditionalProperties: false}
	for _, k := range formOf(t) {
		value := shapeOf(k.value, k.is)
		value.Description = k.doc
		s.Properties.names = append(s.Properties.names, k.name)
		s.Properties.schemas = append(s.Properties.schemas, value)
		if k.need != "" {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

func shapeOf(t reflect.Type, is string) *schema {
	if shaped, ok := reflect.TypeAssert[interface{ shape(is string) *schema }](reflect.Zero(t)); ok {
		return shaped.shape(is)
	}
	s := objectShape(t)
	switch t {
	case reflect.TypeFor[textForm](), reflect.TypeFor[proseForm]():
		s.MinProperties = 1 // the other language is missed, and a warning says so
	case reflect.TypeFor[queryForm]():
		s.MinProperties, s.MaxProperties = 1, 2 // with a server
	case reflect.TypeFor[goalForm]():
		s.MinProperties, s.MaxProperties = 1, 4 // a repair with what must still happen, the time and the faults
	case reflect.TypeFor[claimForm]():
		s.MinProperties, s.MaxProperties = 1, 4
	case reflect.TypeFor[expectForm]():
		s.Type = []string{"object", "null"} // check --fix fills it in
	}
	return s
}
