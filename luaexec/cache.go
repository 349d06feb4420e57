package luaexec

import "sync"

// maxCached is how many bytes the texts of a cache may have together: more than those of the lessons,
// and little beside what else a server keeps.
const maxCached = 1 << 20

// Cache keeps what was made of texts, because making it takes longer than running them. It serves all
// nodes of the process, as what is made of a text depends on that alone. A full cache is emptied.
type Cache[V any] struct {
	mu     sync.Mutex
	byText map[string]V
	bytes  int // of the texts
}

// Of is what is made of a text. What fails is not kept. While one is made, others are found: a text of a learner
// may take long.
func (c *Cache[V]) Of(text string, made func(text string) (V, error)) (V, error) {
	c.mu.Lock()
	v, known := c.byText[text]
	c.mu.Unlock()
	if known {
		return v, nil
	}
	v, err := made(text)
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byText == nil || c.bytes+len(text) > maxCached {
		c.byText, c.bytes = map[string]V{}, 0
	}
	if _, known := c.byText[text]; !known {
		c.byText[text] = v
		c.bytes += len(text)
	}
	return v, nil
}
