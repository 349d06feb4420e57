package decode

// The types in this file are the format of a lesson. The decoder knows no other
// keys, and the schema that editors use is made from them. Of each key the tags say
//
//	key   what it is called
//	need  that it must be there, and what to write when it is not
//	doc   what an editor says about it

type lessonForm struct {
	Title      textForm                `key:"title" need:"title: {en: \"…\", zh: \"…\"}" doc:"The lesson's name on the page."`
	Summary    textForm                `key:"summary" need:"summary: {en: \"…\", zh: \"…\"}, one sentence for the list of lessons" doc:"One sentence for the list of lessons: what the learner will see."`
	Chapter    chapterWord             `key:"chapter" need:"chapter: with one of the chapters" doc:"The group of lessons that it belongs to."`
	Level      levelWord               `key:"level" need:"level: basic or advanced" doc:"How much a reader should know before."`
	Sources    []plainText             `key:"sources" doc:"Where the mechanism is written about."`
	Nodes      []nodeName              `key:"nodes" doc:"The Redis servers. One, called redis, is the default."`
	Resolution spanText                `key:"resolution" doc:"The step of the clock, 100ms unless said otherwise. Every span and TTL of the lesson is a multiple of it."`
	Client     plainText               `key:"client" doc:"A lock client that the programs call, without .lua: a file in clients/ beside the lesson's folder, or one that comes with the playground."`
	Scripts    map[nameText]scriptForm `key:"scripts" doc:"The scripts that run on the server, by the names that programs call them by: redis.eval(name, keys, args)."`
	Actors     map[nameText]actorForm  `key:"actors" need:"actors: {A: {process: jvm-1, program: …}}" doc:"The client threads, in the order in which the page shows them."`
	Invariants []invariantForm         `key:"invariants" doc:"What must hold after every step: rules that come with the playground by name, and rules of the lesson's own."`
	Faults     []faultText             `key:"faults" doc:"What may go wrong when the learner wants it to. Pausing brings resuming with it."`
	Story      []beatForm              `key:"story" need:"story: and a list of beats, such as - run: A" doc:"The lesson, move by move. Each beat says something, makes a move and expects something of it."`
	Challenge  challengeForm           `key:"challenge" doc:"What the learner is dared to bring about after the story. playground check plays the solution."`
}

// textForm is plain text, in which backquotes mark code.
type textForm struct {
	En plainText `key:"en" doc:"In English."`
	Zh plainText `key:"zh" doc:"In Chinese."`
}

// proseForm is Markdown.
type proseForm struct {
	En markdown `key:"en" doc:"In English: Markdown without HTML. Put code between backquotes."`
	Zh markdown `key:"zh" doc:"In Chinese: Markdown without HTML. Put code between backquotes."`
}

type scriptForm struct {
	File   luaFile       `key:"file" doc:"A Lua file beside lesson.yaml."`
	Source luaText       `key:"source" doc:"The script itself, after |, instead of a file."`
	Keys   []meaningForm `key:"keys" doc:"What each of KEYS means, for people: text, or {en: …, zh: …}."`
	Args   []meaningForm `key:"args" doc:"What each of ARGV means, for people: text, or {en: …, zh: …}."`
}

type actorForm struct {
	Process nameText `key:"process" doc:"The client process that the thread belongs to: what crashes, pauses and listens as a whole. The actor's own name unless said otherwise."`
	Program luaText  `key:"program" need:"program: and the Lua after |" doc:"What the thread does, in Lua: redis.eval(script, keys, args), redis.call(command, …), sleep(span), work(span), enter(section), leave(section), refused(section), subscribe, receive, spawn, say, and the functions of the client."`
}

// ruleForm is an invariant of the lesson's own.
type ruleForm struct {
	Name nameText `key:"name" need:"name: stock, and lua: \"stock >= 0\"" doc:"What the page calls it."`
	Lua  exprLua  `key:"lua" need:"lua: \"stock >= 0\", an expression over the keys" doc:"A Lua expression that is true while all is well. Each string key is a variable; get(key), hget(key, field), lindex(key, index), zscore(key, member), exists(key), ttl(key) in milliseconds, and inside(section), the number of actors in it. node(name).get(key) and so on look at another server. What is not there is nil."`
}

type beatForm struct {
	Say    proseForm    `key:"say" doc:"What is told before the move."`
	Ask    askForm      `key:"ask" doc:"A prediction that the learner may make before the move. The engine grades it."`
	Move   moveForms    // a key for each kind of choice
	Do     []choiceText `key:"do" doc:"Several moves, one after the other."`
	Expect expectForm   `key:"expect" doc:"What must be true after the move. What is not named is free, but nothing may break and no program may fail unless it is named. playground check --fix fills it in."`
}

type askForm struct {
	Question textForm  `key:"question" need:"question: {en: \"…\", zh: \"…\"}" doc:"The question, with a hint at the form of the answer."`
	Answer   queryForm `key:"answer" need:"answer: {hget: [anyLock, A]}, which the engine looks up" doc:"Where the engine finds the answer after the move."`
}

// queryForm is one query: a lesson uses one of its keys, and node where it needs it.
type queryForm struct {
	Reply  nothing   `key:"reply" doc:"The reply of the move."`
	Get    plainText `key:"get" doc:"The value of a string key."`
	HGet   keyAndOf  `key:"hget" doc:"A field of a hash: [key, field]."`
	LIndex keyAndOf  `key:"lindex" doc:"An element of a list: [key, index]."`
	ZScore keyAndOf  `key:"zscore" doc:"A member's score: [key, member]."`
	TTL    plainText `key:"ttl" doc:"How long a key still lives, as in 30s."`
	Exists plainText `key:"exists" doc:"Whether a key exists: yes or no."`
	Holder plainText `key:"holder" doc:"Who is inside a critical section."`
	Node   plainText `key:"node" doc:"The server that has the key; the first one unless said otherwise."`
}

type expectForm struct {
	Reply    replyText                 `key:"reply" doc:"The reply: 1, nil, OK, '\"text\"' with its quotes, '[1, \"text\"]'."`
	Error    plainText                 `key:"error" doc:"A part of the error that is the reply."`
	Keys     map[plainText]keyForms    `key:"keys" doc:"Keys that must exist, and how they must look. A key that several servers have is a list: [{node: n1, value: A}, {node: n2, value: B}]."`
	Gone     []plainText               `key:"gone" doc:"Keys that must not exist."`
	Holds    map[plainText][]plainText `key:"holds" doc:"Who is inside each critical section: exactly these. Nobody is []."`
	Status   map[plainText]statusWord  `key:"status" doc:"What actors must be doing."`
	Messages []plainText               `key:"messages" doc:"The payloads that the move delivered, in order."`
	Woke     []plainText               `key:"woke" doc:"The actors that a timer woke."`
	Broken   []plainText               `key:"broken" doc:"The invariants that the move breaks: exactly these."`
}

// keyForm is what one key must look like.
type keyForm struct {
	Node  plainText `key:"node" doc:"The server that has it; the first one unless said otherwise."`
	Type  typeWord  `key:"type" doc:"Its type."`
	Value keyValue  `key:"value" doc:"A text for a string, {field: value} for a hash, [a, b] for a list or set, {member: score} for a zset. All of it."`
	TTL   ttlSpan   `key:"ttl" doc:"How long it still lives, or none."`
}

type challengeForm struct {
	Say      proseForm    `key:"say" need:"say: {en: \"…\", zh: \"…\"}, what to bring about" doc:"What the learner is dared to bring about."`
	Goal     goalForm     `key:"goal" need:"goal: {break: mutual-exclusion}, or {reach: \"stock < 0\"}" doc:"When the challenge is won. The story itself must not win it."`
	Hint     proseForm    `key:"hint" need:"hint: {en: \"…\", zh: \"…\"}" doc:"A nudge for who is stuck."`
	Solution []choiceText `key:"solution" need:"solution: [run A, tick 30s, run B], one way to the goal" doc:"One way to the goal, from the start."`
}

// goalForm is one of its keys.
type goalForm struct {
	Break plainText `key:"break" doc:"An invariant of this lesson that a step must break."`
	Reach exprLua   `key:"reach" doc:"A Lua expression over the keys, as in invariants, that must become true."`
}
