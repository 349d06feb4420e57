package class

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"lockstep/engine/fact"
)

// kept is how long a class lasts after its last event.
const kept = 24 * time.Hour

// Store keeps the events of classes in a Redis.
type Store struct{ redis *redis.Client }

// OpenStore takes the URL of a Redis. It is reached when something is first asked of it.
func OpenStore(url string) (*Store, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	o.PoolSize = mostRooms + 32 // each room waits on a connection of its own
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = 2*time.Second, 2*time.Second, 2*time.Second
	o.MaxRetries, o.DialerRetries = 1, 1
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	redis.SetLogger(quiet{})
	return &Store{redis.NewClient(o)}, nil
}

// quiet keeps go-redis from writing on the terminal, among the lines of a log: commands return what is wrong.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

// Close frees the connections.
func (s *Store) Close() error { return s.redis.Close() }

func keyOf(code string) string { return "lockstep:class:{" + code + "}" }

// first is the id of the event that opens a class: a stream takes it only once, so no code is given twice.
const first = "0-1"

// open makes a class under a code that nobody has.
func (s *Store) open(ctx context.Context, e Event) (code string, err error) {
	text, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	for range 8 {
		code = newCode()
		err = s.write(ctx, &redis.XAddArgs{Stream: keyOf(code), ID: first}, text)
		if err == nil || !strings.Contains(err.Error(), "equal or smaller") {
			return code, told(err)
		}
	}
	return "", told(err)
}

// add adds an event, as JSON, to a class that is there.
func (s *Store) add(ctx context.Context, code string, event []byte) error {
	return told(s.write(ctx, &redis.XAddArgs{Stream: keyOf(code), NoMkStream: true}, event))
}

func (s *Store) write(ctx context.Context, to *redis.XAddArgs, event []byte) error {
	to.Values = []any{"e", event}
	pipe := s.redis.Pipeline()
	added := pipe.XAdd(ctx, to)
	pipe.Expire(ctx, to.Stream, kept)
	_, _ = pipe.Exec(ctx) // its error is that of a command
	return added.Err()
}

// takes tells why no event can be stored. It adds one to the class of an empty code, which nobody has opened, so that
// nothing comes of it: but a store that is full, a replica, or not for this user refuses it.
func (s *Store) takes(ctx context.Context) error {
	err := s.redis.XAdd(ctx, &redis.XAddArgs{Stream: keyOf(""), NoMkStream: true, Values: []any{"e", ""}}).Err()
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// told is an error of the store with the fact that pages tell.
func told(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, redis.Nil):
		return fact.Of("class-none")
	default:
		return errors.Join(fact.Of("class-store"), err)
	}
}

// read gets events after an id, or waits for some; a wait below 0 is none. No events and no error: the wait is over, or the
// class is gone. Events that cannot be read, as a newer version wrote them, are left out.
func (s *Store) read(ctx context.Context, code, after string, wait time.Duration) ([]Event, error) {
	streams, err := s.redis.XRead(ctx, &redis.XReadArgs{Streams: []string{keyOf(code), after}, Count: 1000, Block: wait}).Result()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	if err != nil {
		return nil, told(err)
	}
	var events []Event
	for _, m := range streams[0].Messages {
		var e Event
		text, _ := m.Values["e"].(string)
		if json.Unmarshal([]byte(text), &e) != nil {
			continue // of a later version
		}
		e.ID, e.Size = m.ID, len(text)
		ms, _, _ := strings.Cut(m.ID, "-")
		e.Time, _ = strconv.ParseInt(ms, 10, 64)
		events = append(events, e)
	}
	return events, nil
}

// there tells whether a class still is.
func (s *Store) there(ctx context.Context, code string) (bool, error) {
	n, err := s.redis.Exists(ctx, keyOf(code)).Result()
	return n == 1, told(err)
}
