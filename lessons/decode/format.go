package decode

// The types in this file are the format of a lesson. Decoding fills them and knows no
// other keys; the schema that editors use is generated from them. For each key the tags say
//
//	key   what it is called
//	need  that it must be there, and what to write when it is not
//	write what to write when it is of another kind; without it, what need says. Both are YAML, with | between several ways,
//	      or the code of a fact
//	what  what messages call it, in which WHAT is what they call the mapping around it, and
//	      NAME the mapping's name; without it, the key
//	each  what messages call an item of a list, and say before the name of what a mapping has
//	most  which of the limits bounds how many items it may have; without it, none does
//	none  the code of what to say when it has no items; without it, it need not have any
//	is    which of the kinds of text it is, or its items are, whose words need calls WORDS;
//	      without it, any text
//	doc   what an editor says about it

type lessonForm struct {
	at
	Title      textForm               `key:"title" what:"the title" need:"title: {en: \"…\", zh: \"…\"}" doc:"The lesson's name on the page."`
	Summary    textForm               `key:"summary" what:"the summary" need:"summary: {en: \"…\", zh: \"…\"}" doc:"One sentence for the list of lessons: what the learner will see."`
	Chapter    plainText              `key:"chapter" is:"chapter" need:"chapter: WORDS" doc:"The group of lessons that it belongs to."`
	Level      plainText              `key:"level" is:"level" need:"level: WORDS" doc:"How much a reader should know before."`
	Sources    listOf[plainText]      `key:"sources" write:"sources: [\"Redis documentation: distributed locks\"]" most:"sources" doc:"Where the mechanism is written about."`
	Versions   oneOrMore[meaningForm] `key:"versions" what:"the versions" each:"one of the versions" write:"versions: Redisson 3.32 | versions: [Redisson 3.32, Redis 7.2]" most:"sources" none:"lesson-list-empty" doc:"Which products and versions behave as the lesson shows: text, or {en: …, zh: …}, or a list."`
	Needs      listOf[plainText]      `key:"needs" is:"lesson" each:"the name of a lesson" write:"needs: [set-nx]" most:"sources" doc:"The lessons that a reader must know before, by name: those whose terms, scripts or commands this one uses."`
	Formerly   listOf[plainText]      `key:"formerly" is:"lesson" each:"the name of a lesson" write:"formerly: [old-name]" most:"sources" doc:"Names that the lesson had before, and those of lessons that it took in. Their addresses lead to it."`
	Cause      proseForm              `key:"cause" what:"the cause" write:"cause: {en: \"…\", zh: \"…\"}" doc:"Of an incident: why it happened. The page tells it after the learner has tried, and the story does not."`
	Affected   oneOrMore[meaningForm] `key:"affected" what:"what is affected" each:"one of what is affected" write:"lesson-write-affected" most:"sources" none:"lesson-list-empty" doc:"Which products and versions behave as the story shows, with the issue or commit: text, or {en: …, zh: …}, or a list."`
	Cured      oneOrMore[meaningForm] `key:"cured" what:"what cured it" each:"one of what cured it" write:"lesson-write-cured" most:"sources" none:"lesson-list-empty" doc:"What cured it: the version, commit or issue; or open at the date on which somebody looked. Text, or {en: …, zh: …}, or a list."`
	Nodes      nodesForm              `key:"nodes" is:"name" each:"the name of a node" write:"nodes: [redis]" most:"nodes" none:"lesson-needs-node" doc:"The servers: a list of names, or {m: {}, r: {replica-of: m}}. One, called redis, is the default."`
	Cluster    namesOf[plainText]     `key:"cluster" is:"slots" each:"the slots of" write:"cluster: {n1: 0-8191, n2: 8192-16383}" most:"nodes" none:"lesson-cluster-needs-node" doc:"The nodes of a Redis cluster and the slots that each has, as in 0-99, 200, 300-400. With 200 to n2 the slot 200 is on its way to n2. They need not stand in nodes as well."`
	Given      mapOf[givenForms]      `key:"given" each:"the key" most:"items" write:"given: {stock: \"1\"}" doc:"Keys that are there at the start: a text for a string, or as in keys of expect: {type: hash, value: {A: 1}, ttl: 30s}. On a ZooKeeper, a text is the data of a znode. Replicas have what their leader was given."`
	Resolution plainText              `key:"resolution" is:"span" write:"lesson-write-span" what:"the resolution" doc:"The step of the clock, 100ms unless said otherwise. Every span and TTL of the lesson is a multiple of it."`
	Timeout    plainText              `key:"client-timeout" is:"span" write:"lesson-write-span" doc:"How long clients wait for a reply, 1s unless said otherwise, until they get an error that begins with TIMEOUT."`
	Client     plainText              `key:"client" what:"the client" write:"client: set-nx" doc:"A lock client that the programs call, without .lua: a file in clients/ beside the lesson's folder, or one that comes with the playground."`
	Scripts    namesOf[scriptForm]    `key:"scripts" write:"scripts: {lock: {file: lock.lua, keys: [key], args: [owner]}}" each:"the script" most:"scripts" doc:"The scripts that run on the server, by the names that programs call them by: redis.eval(name, keys, args)."`
	Actors     actorsForm             `key:"actors" each:"the actor" most:"actors" none:"lesson-needs-actor" need:"actors: {A: {process: jvm-1, program: …}}" doc:"The client threads, in the order in which the page shows them. Equal ones may stand together: [A, B]: {program: …}."`
	Words      listOf[textForm]       `key:"words" what:"the words" each:"one of the words" write:"words: [{en: \"-- the last one\", zh: \"-- 最后一件\"}]" most:"items" doc:"Comments of programs and scripts, each as a whole, and what programs say, in both languages. The page shows them in the reader's."`
	Invariants listOf[invariantForm]  `key:"invariants" each:"an invariant" write:"invariants: [mutual-exclusion, {name: stock, lua: \"stock >= 0\"}]" most:"invariants" doc:"What must hold after every step: rules that come with the playground by name, and rules of the lesson's own."`
	Faults     listOf[plainText]      `key:"faults" is:"fault" each:"a choice" write:"faults: [crash jvm-1, pause jvm-1, drop jvm-1]" most:"faults" doc:"What may go wrong when the learner wants it to. What ends a fault comes with it: restart with crash, resume with pause, heal with cut."`
	Story      listOf[beatForm]       `key:"story" each:"a beat" what:"the story" most:"beats" need:"lesson-write-story" doc:"The lesson, move by move. Each beat says something, makes a move and expects something of it."`
	Challenge  challengeForm          `key:"challenge" what:"the challenge" write:"challenge: {say: …, goal: …, hint: …, solution: […]}" doc:"What the learner is to bring about after the story. playground check plays the solution."`
	Challenges listOf[challengeForm]  `key:"challenges" each:"a challenge" write:"challenges: [{say: …, goal: …, hint: …, solution: […]}]" most:"challenges" doc:"Several challenges, which the page shows one after the other."`
	Verdicts   listOf[claimForm]      `key:"verdicts" each:"a verdict" what:"the verdicts" write:"verdicts: [{holds: mutual-exclusion}, {breaks: released-by-holder, in: 5, time: any}]" most:"verdicts" doc:"What a search of all schedules finds. playground check searches them."`
}

// claimForm is what a search finds: it has one of holds and breaks.
type claimForm struct {
	at
	Holds  plainText          `key:"holds" what:"an invariant" write:"mutual-exclusion | all" doc:"An invariant that no schedule breaks, however long it is; all: every invariant of this lesson."`
	Breaks plainText          `key:"breaks" what:"an invariant" write:"mutual-exclusion | all" doc:"An invariant that a schedule breaks; all: any of this lesson."`
	In     plainText          `key:"in" is:"count" what:"the length" write:"in: 5" doc:"How many moves the shortest schedule has that breaks it. Moves of the clock in a row count as one."`
	Time   plainText          `key:"time" is:"late" what:"the time" write:"prompt | arrive | late=2s | any" doc:"What is assumed about time: prompt (everybody begins at once, and nobody is late), arrive (everybody begins when they like, and is not late afterwards; the default), late=2s (they are late by at most so much), any."`
	Faults namesOf[plainText] `key:"faults" is:"count" each:"how often there is a" write:"faults: {crash: 1}" doc:"How often each kind of fault may happen, of those that the lesson allows. Without it none does."`
}

// nodeForm is a node in the mapping of all.
type nodeForm struct {
	at
	ReplicaOf plainText `key:"replica-of" is:"name" write:"replica-of: m" doc:"The node whose writes it is sent, one after the other. Until it is promoted it takes none from clients."`
	Kind      plainText `key:"kind" is:"kind" doc:"What kind of server it is, redis unless said otherwise; sql is a small MariaDB."`

	Version   plainText          `key:"version" is:"version" doc:"A newer server that a Redis is, for commands that Redis 7.0 does not have: SET with IFEQ, and DELEX of Redis 8.4 or DELIFEQ of Valkey 9.0. Such a node is always the embedded one."`
	ToWrite   plainText          `key:"min-replicas-to-write" is:"count" what:"the number of replicas" write:"min-replicas-to-write: 1" doc:"Of redis: how many replicas it must hear to take writes, while it leads. Else it answers NOREPLICAS."`
	MaxLag    plainText          `key:"min-replicas-max-lag" is:"span" write:"lesson-write-seconds" doc:"Of redis: how long a replica still counts of which it hears nothing, 10s unless said otherwise. It counts whole seconds: no more when one more has passed."`
	Session   plainText          `key:"session" is:"span" write:"lesson-write-span" doc:"How long a ZooKeeper keeps the session of a process that it does not hear of: 10s unless said otherwise."`
	Isolation plainText          `key:"isolation" is:"isolation" doc:"Of sql: the isolation level of its transactions, REPEATABLE READ unless said otherwise."`
	IdleTime  plainText          `key:"wait-timeout" is:"span" write:"lesson-write-seconds" doc:"Of sql: how long a client may say nothing until its connection is closed; for ever, unless said otherwise."`
	LockWait  plainText          `key:"lock-wait" is:"span" write:"lesson-write-seconds" doc:"Of sql: how long a statement waits for a lock until error 1205 ends it, 50s unless said otherwise."`
	Tables    namesOf[tableForm] `key:"tables" each:"the table" most:"tables" write:"tables: {stock: {columns: {id: INT, stock: INT}, rows: [[10, 1]]}}" doc:"Of sql: its tables."`
}

// tableForm is a table of a SQL server. Its first column is its primary key.
type tableForm struct {
	at
	Columns namesOf[plainText]        `key:"columns" each:"the type of" most:"columns" need:"columns: {id: INT, name: VARCHAR(20)}" none:"lesson-needs-column" doc:"The columns and their types: INT, BIGINT or VARCHAR(n). The first is the primary key; none takes NULL unless its type ends in NULL."`
	Rows    listOf[listOf[plainText]] `key:"rows" each:"a row" most:"items" write:"rows: [[10, 1], [20, 5]]" doc:"The rows that are there at the start, each a list of values in the order of the columns."`
}

// textForm is plain text, in which backquotes mark code.
type textForm struct {
	at
	En plainText `key:"en" what:"WHAT in en" doc:"In English."`
	Zh plainText `key:"zh" what:"WHAT in zh" doc:"In Chinese."`
}

type proseForm struct {
	at
	En plainText `key:"en" what:"WHAT in en" doc:"In English: Markdown without HTML. Put code between backquotes."`
	Zh plainText `key:"zh" what:"WHAT in zh" doc:"In Chinese: Markdown without HTML. Put code between backquotes."`
}

type scriptForm struct {
	at
	File   plainText           `key:"file" is:"file" write:"file: lock.lua" doc:"A Lua file beside lesson.yaml; or the script of a lock client, which lessons share, as in clients/redisson/lock.lua: a file beside the lesson's folder, or one that comes with the playground."`
	Source plainText           `key:"source" is:"lua" write:"lesson-write-below" what:"WHAT" doc:"The script itself, after |, instead of a file."`
	Keys   listOf[meaningForm] `key:"keys" write:"lesson-write-keys" most:"meanings" doc:"What each of KEYS means, for people: text, or {en: …, zh: …}."`
	Args   listOf[meaningForm] `key:"args" write:"lesson-write-args" most:"meanings" doc:"What each of ARGV means, for people: text, or {en: …, zh: …}."`
}

type actorForm struct {
	at
	Process oneOrMore[plainText] `key:"process" is:"name" what:"the process" each:"a process" most:"actors" write:"process: jvm-1" doc:"The client process that the thread belongs to: what crashes, pauses and listens as a whole. The actor's own name unless said otherwise. Of equal actors, one for all of them, or a list with one for each."`
	Count   plainText            `key:"count" is:"crowd" what:"the count of NAME" write:"lesson-write-crowd" doc:"How many clients run the program, as NAME-1, NAME-2 and so on: a crowd, which is one actor. Its clients take turns, one request each; they can send commands and scripts, and call refused and say."`
	Program plainText            `key:"program" is:"lua" write:"lesson-write-below" what:"the program of NAME" need:"lesson-write-program" doc:"What the thread does, in Lua: redis.eval(script, keys, args), redis.call(command, …), sleep(span), work(span), enter(section), leave(section), refused(section), subscribe, receive, spawn, say, node(name), master(), slot(key), and the functions of the client. On a node of kind sql: db = node(name), db.begin(), db.query(sql, …), db.exec(sql, …), db.commit(), db.rollback(), db.errno(err)."`
}

// ruleForm is an invariant of the lesson's own.
type ruleForm struct {
	at
	Name plainText `key:"name" is:"name" what:"the name of an invariant" need:"{name: stock, lua: \"stock >= 0\"}" doc:"What the page calls it."`
	Lua  plainText `key:"lua" what:"the expression" need:"lua: \"stock >= 0\"" doc:"A Lua expression that is true while all is well. Each string key is a variable; get(key), hget(key, field), lindex(key, index), zscore(key, member), llen(key), hlen(key), scard(key), zcard(key), sismember(key, member), exists(key), znode(path), with its data, czxid, version and owner, ttl(key) in milliseconds, row(table, key).column of a table, deadlocks(), the number of those that a SQL server has ended, inside(section), the number of actors in it, waiting(section), the number of those that want it, status(name) of an actor, a task or a server, lag(node), the writes on their way to a replica, and leads(node). node(name).get(key) and so on look at another server. What is not there is nil."`
	Say  textForm  `key:"say" what:"the text of an invariant" doc:"What it means when it breaks, for the page."`
}

type beatForm struct {
	at
	Say    proseForm         `key:"say" what:"the text" doc:"What is told before the move."`
	Ask    askForm           `key:"ask" what:"a question" write:"ask: {question: {en: \"…\", zh: \"…\"}, answer: {hget: [anyLock, A]}}" doc:"A prediction that the learner may make before the move. The engine grades it."`
	Move   moveForms         // a key for each kind of choice
	Do     listOf[plainText] `key:"do" is:"choice" each:"a choice" write:"do: [\"run A\", \"tick 10s\"]" none:"lesson-no-move" doc:"Several moves, one after the other."`
	Expect expectForm        `key:"expect" write:"expect: {reply: 1, keys: {anyLock: {ttl: 30s}}}" doc:"What must be true after the move. What is not named is free, but nothing may break and no program may fail unless it is named. playground check --fix fills it in."`
}

type askForm struct {
	at
	Question textForm          `key:"question" what:"the question" need:"question: {en: \"…\", zh: \"…\"}" doc:"The question, with a hint at the form of the answer."`
	Answer   queryForm         `key:"answer" what:"the answer" write:"answer: {hget: [anyLock, A]} | {get: stock} | {ttl: anyLock} | {holder: anyLock} | {reply: }" need:"answer: {hget: [anyLock, A]}" doc:"Where the engine finds the answer after the move."`
	Options  listOf[plainText] `key:"options" most:"items" write:"options: [nil, 10000, 30000]" doc:"The answers to choose from, in the order in which they stand: the right one and others that are likely. Without them an answer of yes or no, a time, a status and a holder offer their own, and all else is typed."`
	Accept   listOf[plainText] `key:"accept" most:"items" write:"accept: [nobody, none]" doc:"Other forms of the right answer."`
}

// queryForm is one query: a lesson uses one of its keys, and node where it needs it.
type queryForm struct {
	at
	Reply     nothing   `key:"reply" doc:"The reply of the move."`
	Get       plainText `key:"get" write:"{get: key}" doc:"The value of a string key, or the data of a znode."`
	HGet      keyAndOf  `key:"hget" write:"{hget: [key, item]}" doc:"A field of a hash: [key, field]."`
	LIndex    keyAndOf  `key:"lindex" write:"{lindex: [key, item]}" doc:"An element of a list: [key, index]."`
	ZScore    keyAndOf  `key:"zscore" write:"{zscore: [key, item]}" doc:"A member's score: [key, member]."`
	TTL       plainText `key:"ttl" write:"{ttl: key}" doc:"How long a key still lives, as in 30s."`
	Exists    plainText `key:"exists" write:"{exists: key}" doc:"Whether a key exists: yes or no."`
	LLen      plainText `key:"llen" write:"{llen: key}" doc:"How many elements a list has."`
	HLen      plainText `key:"hlen" write:"{hlen: key}" doc:"How many fields a hash has."`
	SCard     plainText `key:"scard" write:"{scard: key}" doc:"How many members a set has."`
	ZCard     plainText `key:"zcard" write:"{zcard: key}" doc:"How many members a sorted set has."`
	SIsMember keyAndOf  `key:"sismember" write:"{sismember: [key, member]}" doc:"Whether a set has a member: yes or no."`
	Column    keyAndOf  `key:"column" write:"{column: [stock/10, stock]}" doc:"A column of a row of a table, as it was committed: [table/key, column]. Of a znode: [path, owner]."`
	Status    plainText `key:"status" write:"{status: B}" doc:"What an actor, a task or a server does."`
	Holder    plainText `key:"holder" write:"{holder: key}" doc:"Who is inside a critical section."`
	Node      plainText `key:"node" write:"lesson-write-node" doc:"The server that has the key; the first one unless said otherwise."`
}

type expectForm struct {
	at
	Parts partForms // a key for each row of lessons.Expectations
}

type goneKeyForm struct {
	at
	Node plainText `key:"node" need:"lesson-write-node" doc:"The server that must not have it."`
	Key  plainText `key:"key" need:"key: anyLock" doc:"The key."`
}

// keyForm is what one key must look like.
type keyForm struct {
	at
	Node  plainText `key:"node" write:"lesson-write-node" doc:"The server that has it; the first one unless said otherwise."`
	Type  plainText `key:"type" is:"type" doc:"Its type; none: this server does not have the key."`
	Value keyValue  `key:"value" what:"the value" each:"the value of" most:"items" write:"value: \"text\" | {field: 1} | [A, B]" doc:"A text for a string, {field: value} for a hash, [a, b] for a list or set, {member: score} for a zset, and all of it. For a znode a text is its data, and {data: text, czxid: 2, version: 0, owner: process} compares only what is named; the owner is \"\" unless it is ephemeral."`
	TTL   plainText `key:"ttl" is:"ttl" write:"lesson-write-span" doc:"How long it still lives, or none."`
}

type challengeForm struct {
	at
	Say      proseForm         `key:"say" what:"the text" need:"say: {en: \"…\", zh: \"…\"}" doc:"What the learner is to bring about."`
	Goal     goalForm          `key:"goal" what:"the goal" write:"goal: {break: mutual-exclusion} | {reach: \"stock < 0\"}" need:"goal: {break: mutual-exclusion} | {reach: \"stock < 0\"} | {repair: mutual-exclusion}" doc:"When the challenge is won. The story itself must not win it."`
	Hint     proseForm         `key:"hint" what:"the text" need:"hint: {en: \"…\", zh: \"…\"}" doc:"A nudge for who is stuck."`
	Why      proseForm         `key:"why" what:"the text" write:"why: {en: \"…\", zh: \"…\"}" doc:"What the page says when the challenge is won: why it worked, or what was done about it since."`
	Solution listOf[plainText] `key:"solution" is:"choice" each:"a choice" what:"the solution" write:"solution: [run A, tick 30s, run B]" most:"moves" none:"lesson-solution-idle" doc:"One way to the goal, from the start. Of a repair: edits."`
	Edits    mapOf[plainText]  `key:"edits" is:"lua" what:"the edits" each:"the text of" write:"lesson-write-edits" most:"items" doc:"Of a repair: texts with which the lesson holds, for script:NAME, client:NAME or program:NAME."`
}

// goalForm is one of its keys.
type goalForm struct {
	at
	Break   plainText            `key:"break" what:"an invariant" write:"mutual-exclusion" doc:"An invariant of this lesson that a step must break."`
	Reach   plainText            `key:"reach" what:"the expression" write:"reach: \"stock < 0\"" doc:"A Lua expression over the keys, as in invariants, that must become true."`
	Repair  plainText            `key:"repair" what:"an invariant" write:"mutual-exclusion | all" doc:"An invariant that can break in this lesson, nobody-starves, or all: the learner must edit the lesson so that a search finds no schedule that breaks it or any other of its invariants. What could happen before must still be able to."`
	Still   oneOrMore[plainText] `key:"still" what:"the expression" each:"an expression" write:"still: 'name == \"Mia\"' | still: ['name == \"Mia\"']" most:"items" none:"lesson-list-empty" doc:"Of a repair: a Lua expression over the keys, as in invariants, that must still be able to become true, or a list of them, each of which must."`
	Time    plainText            `key:"time" is:"late" what:"the time" write:"prompt | arrive | late=2s | any" doc:"Of a repair: what is assumed about time, as in verdicts."`
	Faults  namesOf[plainText]   `key:"faults" is:"count" each:"how often there is a" write:"faults: {crash: 1}" doc:"Of a repair: how often each kind of fault may happen. Without it none does."`
	With    listOf[plainText]    `key:"with" each:"a move" most:"faults" write:"with: [run A, crash m]" doc:"What must have happened on the way, in this order: moves that this lesson allows, run A or crash m, or crash for any crash."`
	Without listOf[plainText]    `key:"without" each:"a fault" most:"faults" write:"without: [crash m]" doc:"Faults of this lesson that may not happen on the way: crash m, or crash for each crash. A story that makes one of them may reach the goal after it."`
}
