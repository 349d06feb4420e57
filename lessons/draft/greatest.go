package draft

import (
	"context"
	"fmt"

	"lockstep/engine/fact"
)

// keepsExtreme is why a script is no lock that keeps the greatest number that it was given, as a fence does, or the
// smallest: everybody passes who brings a greater one. nil: it is no such script.
func (t tried) keepsExtreme(ctx context.Context) error {
	if t.take == nil || !t.excludes() {
		return nil
	}
	for i, is := range t.take.roles {
		if is != number && is != limit && is != unknown {
			continue
		}
		take := t.take.with(i, drawn) // which is greater of B
		up := t.stored(ctx, take, i, "A", "B")
		down := t.stored(ctx, take, i, "B", "A")
		switch arg := fmt.Sprintf("ARGV[%d]", i+1); {
		case up == "" || up != down:
		case up == "B":
			return fact.Of("draft-keeps-greatest", take.File, take.Line, take.Name, arg)
		default:
			return fact.Of("draft-keeps-smallest", take.File, take.Line, take.Name, arg)
		}
	}
	return nil
}

// stored is whose number is in a key after two clients have called in turn; empty: nobody's.
func (t tried) stored(ctx context.Context, take *candidate, i int, first, second string) string {
	on := begin(ctx, t.start)
	for _, client := range []string{first, second} {
		on.run(ctx, take, client)
	}
	for _, key := range take.names {
		has := on.exec(ctx, "GET", key)
		for _, client := range []string{first, second} {
			if has.Str == take.value(i, client) {
				return client
			}
		}
	}
	return ""
}
