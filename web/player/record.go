package player

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"lockstep/lessons"
)

// maxRecorded is how many steps of a story are recorded: enough until there is a player.
const maxRecorded = 60

// Record is what a client is sent that plays a lesson's story from its start, and leaves each
// question empty, as JSON: its pages play it until they have a player.
func (p *Playground) Record(ctx context.Context, lesson string, lang lessons.Lang) (_ []byte, err error) {
	s := p.NewSession("record")
	defer func() { err = cmp.Or(err, s.Close()) }()
	if err := s.Load(ctx, Place{Lesson: lesson, Lang: lang}); err != nil {
		return nil, err
	}
	frames := []*Frame{}
	take := func(messages []Message) error {
		for _, m := range messages {
			if m.Reply != nil && m.Err != nil {
				return fmt.Errorf("lesson %s: step %d of its story: %w", lesson, s.now.pos+1, m.Err)
			}
			if m.Frame != nil {
				m.Branches = nil // they are not those of whoever will play it
				frames = append(frames, m.Frame)
				s.screen.acked = s.screen.rev
			}
		}
		return nil
	}
	err = take(s.flush(ctx))
	for err == nil && len(frames) <= maxRecorded {
		command := Command{V: Version, ID: int64(len(frames)), Op: OpStep, N: 1}
		if beat, asks := s.question(); asks {
			command.Op, command.Beat, command.N = OpAnswer, beat, 0
		} else if s.View().Story.Next == nil {
			break
		}
		var data []byte
		if data, err = json.Marshal(command); err == nil {
			err = take(s.Handle(ctx, data))
		}
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(frames)
}
