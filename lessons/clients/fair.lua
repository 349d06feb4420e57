-- Redisson's fair lock (since 3.11.1; since 3.32.0 its lock script answers otherwise): whoever waits stands in
-- a list, and a zset says until when each place in the queue is kept.

local WATCHDOG = 30000 -- lockWatchdogTimeout, in milliseconds
local WAIT = 5000 -- how long a place is kept past the wait that was told, in milliseconds: up to 3.13.2 (since 3.13.3, see place)
local owner = process .. ":" .. me

local function queue(name)
  return "redisson_lock_queue:{" .. name .. "}"
end

local function timeouts(name)
  return "redisson_lock_timeout:{" .. name .. "}"
end

-- Each waiter listens to a channel of its own, so that only the first is woken.
local function channel(name)
  return "redisson_lock__channel:{" .. name .. "}"
end

local function watch(name)
  while true do
    sleep(WATCHDOG / 3)
    if redis.eval("renew", { name }, { WATCHDOG, owner }) == 0 then
      refused(name)
      return
    end
  end
end

local function acquire(name, wait, lease)
  local ttl = redis.eval("lock", { name, queue(name), timeouts(name) }, { lease or WATCHDOG, owner, wait, stamp() })
  if ttl ~= nil then
    refused(name)
    return ttl
  end
  enter(name)
  if lease == nil then
    spawn("watchdog", function() watch(name) end)
  end
end

-- Waits in the queue, until the deadline if there is one. True when the lock is taken.
local function wait_for(name, wait, lease, deadline)
  local ttl = acquire(name, wait, lease)
  if ttl == nil then
    return true
  end
  want(name)
  local mine = channel(name) .. ":" .. owner
  subscribe(mine)
  if deadline == nil or now() < deadline then
    ttl = acquire(name, wait, lease)
  end
  while ttl ~= nil and (deadline == nil or now() < deadline) do
    local left = deadline and deadline - now()
    if ttl >= 0 and (left == nil or ttl < left) then
      left = ttl
    end
    receive(mine, left) -- a negative ttl and no deadline: nothing but a message ends this wait
    if deadline == nil or now() < deadline then
      ttl = acquire(name, wait, lease)
    end
  end
  if ttl ~= nil then
    redis.eval("give-up", { queue(name), timeouts(name) }, { owner, wait })
    unwant(name)
  end
  pcall(unsubscribe, mine) -- a lock that is taken is not given back because of this
  return ttl == nil
end

-- place: how long a place is kept, if not for 5 s; a span, as every release since 3.11.1 sends it as ARGV[3].
-- Since 3.13.3 it is 300 s in lock(), and in trylock() the time that it waits at most. Without a lease Redisson
-- takes that time for milliseconds, whatever its unit (3.24.0 alone converts it).
function lock(name, lease, place)
  wait_for(name, place or WAIT, lease)
end

-- Waits for at most so many milliseconds, then gives its place up. True when the lock is taken.
function trylock(name, limit, lease, place)
  return wait_for(name, place or WAIT, lease, now() + limit)
end

function unlock(name)
  leave(name)
  local answered, released = pcall(redis.eval, "unlock",
    { name, queue(name), timeouts(name), channel(name) }, { 0, WATCHDOG, owner, stamp() })
  cancel("watchdog") -- whatever came back: otherwise a lost unlock would be renewed for ever
  if not answered then
    error(released, 0)
  end
  if released == nil then
    refused(name)
    error("IllegalMonitorStateException: " .. name .. " is not locked by " .. owner, 0)
  end
end
