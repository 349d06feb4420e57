-- The functions that every client program can call. Go passes in `primitive`: it makes
-- requests for the engine and tells a program its own name, process and clock.
--
--   redis.eval(script, keys, args)   run a server-side script of the lesson
--   redis.call(command, ...)         send a plain command
--   redis.watch(key, ...), .unwatch() the next multi returns nil if one of them has changed
--   redis.multi(function(tx) … end)  what tx.call and tx.eval are told, at once
--   node(name).eval, .call           the same on another node; .subscribe and so on, too
--   node(name, {timeout = span})     a request raises TIMEOUT when it has no reply by then
--   node(name, {asking = true})      sends .eval and .call with ASKING, as a cluster's ASK wants it
--   master([name]).eval, .call       on the node that leads when the request is sent
--   node(name) of another kind       what the prelude of its kind says: node/KIND/prelude.lua
--   slot(key)                        the slot of a key in a cluster
--   subscribe(channel), unsubscribe(channel), receive(channel[, timeout[, for_all]])
--   sleep(span), work(span)          spans are milliseconds, or text: "1500ms"
--   now(), stamp([offset])           the client's clock; stamp is read when the request is sent
--   date(format)                     the client's clock in UTC: "%Y-%m-%d %H:%M:%S"
--   int64(number or text)            a whole number of 64 bits, which wraps around: + - * / %, :shl(n), :shr(n), :band, :bor
--   spawn(name, fn), cancel(name)    a task of the same process, such as a watchdog
--   await(name)                      waits until a task has ended; raises its error, if it broke off
--   shared.get(name), .set(name, v)  the memory of the process, which all its threads share
--   enter(section), leave(section)   a critical section, for the invariants
--   refused(section)                 the last reply did not grant the section
--   want(section), unwant(section)   begin and stop waiting for one, for the invariants
--   say(text), me, process           a note in the trace; who is running

return function(primitive, yield, create, resume, status)

-- Passes a request to the engine and returns its outcome; an error reply becomes a
-- Lua error, as in any client library.
local function ask(request)
  local ok, value = yield(request)
  if not ok then
    error(value, 0)
  end
  return value
end

local function server(name, options, leader)
  local patience = options and options.timeout
  local asking = options and options.asking
  return {
    eval = function(script, keys, args)
      return ask(primitive.eval(name, script, keys or {}, args or {}, patience, leader, asking))
    end,
    call = function(...)
      return ask(primitive.command(name, { ... }, patience, leader, asking))
    end,
    watch = function(...) return ask(primitive.watch(name, { ... }, patience, leader)) end,
    unwatch = function() return ask(primitive.watch(name, {}, patience, leader)) end,
    -- What fn sends by tx is done at once. Returns the replies, or nil if a watched key has changed.
    multi = function(fn)
      local sent = {}
      fn({
        call = function(...) sent[#sent + 1] = primitive.command(name, { ... }) end,
        eval = function(script, keys, args) sent[#sent + 1] = primitive.eval(name, script, keys or {}, args or {}) end,
      })
      return ask(primitive.multi(name, sent, patience, leader))
    end,
    subscribe = function(channel) ask(primitive.subscribe(name, channel)) end,
    unsubscribe = function(channel) ask(primitive.unsubscribe(name, channel)) end,
    -- Returns the message, or nil if the timeout came first. The message for_all is for each thread of the
    -- process that waits for it so; any other is for one of them.
    receive = function(channel, timeout, for_all) return ask(primitive.receive(name, channel, timeout, for_all)) end,
  }
end

-- Other kinds of servers have a prelude of their own.
function node(name, options)
  local open = primitive.open(name)
  if open then
    return open(primitive, ask, yield, name, options)
  end
  return server(name, options, false)
end

local default = primitive.default
redis = server(default, nil, false)
subscribe, unsubscribe, receive = redis.subscribe, redis.unsubscribe, redis.receive

-- A client learns who leads from a sentinel, at the moment of sending.
function master(name, options)
  local leader = server(name or default, options, true)
  return { eval = leader.eval, call = leader.call, watch = leader.watch, unwatch = leader.unwatch, multi = leader.multi }
end

function sleep(span) ask(primitive.sleep(span, "")) end
function work(span) ask(primitive.sleep(span, "work")) end

function enter(section) ask(primitive.enter(section)) end
function leave(section) ask(primitive.leave(section)) end
function refused(section) ask(primitive.refused(section)) end
function want(section) ask(primitive.want(section)) end
function unwant(section) ask(primitive.unwant(section)) end
function say(text) ask(primitive.say(text)) end

function spawn(name, fn) ask(primitive.spawn(name, fn)) end
function cancel(name) ask(primitive.cancel(name)) end
function await(name) ask(primitive.await(name)) end

-- What is kept is text; nil forgets it.
shared = {
  get = function(name) return ask(primitive.recall(name)) end,
  set = function(name, value) ask(primitive.remember(name, value)) end,
}

now, stamp, slot, date, int64 = primitive.now, primitive.stamp, primitive.slot, primitive.date, primitive.int64
me, process = primitive.me, primitive.process

-- gopher-lua cannot yield across its own pcall, so this one runs the function in a
-- coroutine and passes requests and outcomes through.
function pcall(fn, ...)
  local co = create(function(...)
    primitive.wordErrors()
    return fn(...)
  end)
  local function pass(ok, ...)
    if not ok or status(co) == "dead" then
      return ok, ...
    end
    return pass(resume(co, yield(...)))
  end
  return pass(resume(co, ...))
end

-- The body of every coroutine.
return function(fn)
  primitive.begin()
  return fn()
end

end
