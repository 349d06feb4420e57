//go:build !js

package fact

import "maps"

// What is wrong with a real server, and what to do. A browser has none.
func init() {
	maps.Copy(English, Words{
		"at-server":            "%s: %s",
		"no-password":          "the server wants a password (%s): put it into the URL: redis://:password@host:6379",
		"wrong-user":           "the server does not take this user or password (%s): correct the URL: redis://user:password@host:6379",
		"wrong-password":       "the server does not take this password (%s): correct the URL: redis://:password@host:6379",
		"needless-password":    "the server has no password, but the URL has one (%s): leave it out of the URL",
		"cluster":              "the server is part of a cluster (%s): give the URL of a single Redis, for example redis://localhost:6379",
		"loading":              "the server is still loading its data (%s): try again when it is ready",
		"replica":              "the server is a read-only replica (%s): give the URL of its master",
		"lost-master":          "the server is a replica that lost its master (%s): give the URL of a master",
		"maxmemory":            "the server has no memory left for writes (%s): free some of it, raise maxmemory, or use another server",
		"no-permission":        "this user may not do what a lesson needs (%s): allow it the keys and channels lockstep:* and the commands @all -@dangerous +info +keys +restore (and +acl|setuser +acl|deluser +acl|users for what visitors edit), or use another user",
		"script-not-permitted": "this user may not do what the script does (%s): allow it, or use another user",
		"busy":                 "another script keeps the server busy (%s): end it with SCRIPT KILL, or try again when it is over",
		"cannot-save":          "the server takes no writes because it cannot save them (%s): repair its persistence (its log says what is wrong) or use another server",
		"no-replicas":          "the server takes no writes without its replicas (%s): use another server",
		"protected-mode":       "the server is in protected mode (%s): set a password on it, or connect from its own machine",
		"maxclients":           "the server takes no more clients (%s): raise its maxclients or close some",
		"server-answered":      "the server answered %q: use Redis 7.0 or newer, or Valkey",
		"name-in-value":        "the key %s holds the name of a key, which is another one on each node of a shared server, so it cannot be copied to a replica: use the embedded engine or a private server",
		"step-canceled":        "the step was called off (%s): reset and replay",
		"no-answer":            "the server does not answer (%s): look whether it hangs, or whether something between drops the packets",
		"not-connected":        "the connection failed (%s): look whether the server runs and the address is right",
		"not-a-url":            "this is not the URL of a Redis server: write it as redis://[user:password@]host:6379[/database] or unix:///path/to/socket",
		"no-version":           "it does not say which Redis it is: give the URL of a Redis or Valkey server",
		"too-old":              "%s is too old: use Redis 7.0 or newer, or Valkey",
		"no-account":           "the sessions here have no user of their own, for which the URL needs a user that may ACL SETUSER and ACL DELUSER: %s",
		"shared-interpreter":   "on %s a script can change what the scripts of everybody else do: use a version with the fix for CVE-2025-46818, such as Valkey 8.0.6",
		"no-server-program":    "no redis-server or valkey-server is on PATH: install one (Debian: apt-get install redis-server), or give the URL of a server",
		"no-program":           "there is no %s here: install %s (Debian 12: apt-get install %s), or run make servers",
		"other-version":        "this is %s, which does otherwise: install %s (Debian 12: apt-get install %s)",
		"no-socket-folder":     "there is no folder for its socket (%s): make TMPDIR writable",
		"not-started":          "the server did not start (%s): use Redis 7.0 or newer, or Valkey, or give the URL of a server",
		"own-not-started":      "the server did not start (%s): look whether the disk is full and the program runs, or use the embedded engine",
		"servers-taken":        "all real servers are taken (%d of %d in use): try again later, or use the embedded engine",
		"servers-stopped":      "the servers were stopped: start the playground again",
		"server-ended":         "%s has ended (%s): go on: the next step starts another",
		"server-died":          "%s died in this step (%s): mend the script, which this version cannot run; the next step starts the server again",
		"out-of-memory":        "the step needed more than the %d MB that a server may take, and %s ended: mend the script; the next step starts the server again",
		"server-differs":       "%s did this: %s; the embedded server does this: %s: play these steps on the embedded engine",
		"server-memory":        "%s has no memory left, and ended: go on: the next step starts another",
		"too-much-data":        "the step answered, published or left in the keys more than is read of one step (%d MB or %d values): mend the script so that it makes less",
		"garbled":              "what the server sent cannot be read (%s): reset and replay; if it happens again, look what lies between the playground and the server",
		"keys-gone":            "%d of the session's keys are gone (the server was restarted, somebody deleted them, or the session was idle for an hour): reset and replay",
		"keys-lost":            "keys were lost on the server: reset and replay",
		"node-closed":          "the node is closed: take a new one",
		"not-in-keys":          "the script used a key or a channel that is not named in KEYS nor made from one, and on a shared server that is somebody else's: name it in KEYS, or run the lesson on a server of its own (without --redis-url)",
		"name-in-script":       "%s in the script names %q by itself, and on a shared server that name is everybody's: pass it in KEYS, or run the lesson on a server of its own (without --redis-url)",
		"letters-of-a-name":    "line %d of the script looks at the letters of a name from KEYS (%s), and on a shared server names are longer by the session's prefix: pass what is meant in ARGV, or run the lesson on a server of its own (without --redis-url)",
		"all-keys":             "%s can meet every key or channel of the server, and on a shared one those of others are among them: name the keys that are meant, or run the lesson on a server of its own (without --redis-url)",
		"clock-moved":          "the clock of %s goes on while a step runs, and this one took %s at best, so that the TTLs in it cannot be told exactly: replay; if it happens again, let the script do less, or use the embedded engine, Redis 7.2 or newer, or Valkey",
		"server-silent":        "a step ran for more than %s, and meanwhile the server answers nothing",
		"unkillable":           "a script ran for more than %s, and as it has written already it cannot be killed",
		"kill-ignored":         "a script was killed but does not end",
		"server-stopped":       "%s; the server was stopped: mend the script if it takes that long; the next step starts the server again",
		"server-blocked":       "%s: the server serves nobody until the script ends: its owner may end it with SHUTDOWN NOSAVE",

		// Why a page has no engine of its own, or a site of files no other.
		"no-browser-engine": "This playground was built without the engine for browsers: run make build.",
		"files-only":        "This site is files only, so everything runs in your browser. For a server of your own, run: playground serve",
		"browser-no-redis":  "A browser cannot reach a Redis. To play the lessons on a real one, run: playground serve --redis-url redis://127.0.0.1:6379",
		"browser-no-server": "A browser cannot start a %s. To play the lessons on a real one, run: playground serve",

		// What a server of pages answers, besides pages.
		"no-such-page":    "There is no such page.",
		"something-broke": "You have hit a bug in the playground. The server is still running: reload the page, or reset the lesson.",
		"server-full":     "All places on the server are taken: too many pages are open. Close one, or try again in a minute.",
		"seat-taken":      "This page was idle for a while, so its place on the server was given to somebody else.",
		"other-host":      "This playground does not serve the host name %q. Open it at its own address; its operator can add a name: playground serve --host NAME",
	})
}
