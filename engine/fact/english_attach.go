//go:build !js

package fact

// Of real clients that are followed. A browser follows none.
func init() {
	English.Add(Words{
		// What holding them back, and making a lesson of them, can come to.
		"too-many-rules":  "there are %d rules, and no more are possible: remove one",
		"long-field":      "a field has at most %d bytes",
		"not-own-page":    "only the playground's own pages may do this",
		"no-lesson-of-it": "what was recorded does not become a lesson: %s",

		// What scripts of known clients do.
		"redisson-lock":         "Redisson: take the lock",
		"redisson-unlock":       "Redisson: release the lock",
		"redisson-force":        "Redisson: release it by force",
		"redisson-renew":        "Redisson: the watchdog renews the lock",
		"redisson-read-lock":    "Redisson: take the read lock",
		"redisson-read-unlock":  "Redisson: release the read lock",
		"redisson-read-renew":   "Redisson: the watchdog renews the read lock",
		"redisson-write-lock":   "Redisson: take the write lock",
		"redisson-write-unlock": "Redisson: release the write lock",
		"redisson-fair-lock":    "Redisson: take the fair lock",
		"redisson-fair-unlock":  "Redisson: release the fair lock",
		"redisson-fair-give-up": "Redisson: leave the fair lock's queue",
		"redisson-fenced-lock":  "Redisson: take the fenced lock",
		"node-redlock-acquire":  "node-redlock: take the lock",
		"spring-obtain":         "Spring: take the lock",
		"spring-release":        "Spring: release the lock",
		"compare-and-delete":    "delete if the token is still there",
		"compare-and-expire":    "renew if the token is still there",
	})
}
