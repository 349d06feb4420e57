package main

import (
	"context"
	"flag"

	"lockstep/lessons/decode"
)

var schemaCommand = command{
	name: "schema", summary: "print the format of lessons as a JSON Schema, for editors",
	more: `An editor that knows the schema completes keys, shows what they mean and marks
what does not belong there. Print it to a file beside the lessons:

  playground schema > lesson.schema.json

VS Code with the YAML extension, and every other editor with yaml-language-server,
takes it from the first line of a lesson.yaml in a folder next to that file:

  # yaml-language-server: $schema=../lesson.schema.json

or, without that line, from the settings:

  "yaml.schemas": {"./lesson.schema.json": "*/lesson.yaml"}

JetBrains editors map files to it under Languages & Frameworks, Schemas and DTDs,
JSON Schema Mappings. A schema sees the shape of a lesson and not its sense:
playground check sees both.
`,
	define: func(*flag.FlagSet) func(context.Context, terminal, []string) error {
		return func(_ context.Context, t terminal, _ []string) error {
			text, err := decode.Schema()
			if err != nil {
				return err
			}
			_, err = t.out.Write(text)
			return err
		}
	},
}
