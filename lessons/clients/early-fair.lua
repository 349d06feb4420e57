-- Redisson's fair lock as it was from 3.2.0 to 3.11.0: ARGV[3] is an instant. Whoever gives up simply
-- goes away, as up to 3.2.3.

local PLACE = 5000 -- how long a place is kept past the wait that was told, in milliseconds
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

local function acquire(name, lease)
  local wait = redis.eval("lock", { name, queue(name), timeouts(name) }, { lease, owner, stamp(PLACE), stamp() })
  if wait == nil then
    enter(name)
  else
    refused(name)
  end
  return wait
end

-- Waits for at most so many milliseconds. True when the lock is taken.
function trylock(name, patience, lease)
  local deadline = now() + patience
  local wait = acquire(name, lease)
  if wait == nil then
    return true
  end
  want(name)
  local mine = channel(name) .. ":" .. owner
  subscribe(mine)
  wait = acquire(name, lease)
  while wait ~= nil and now() < deadline do
    receive(mine, math.min(wait, deadline - now()))
    if now() < deadline then
      wait = acquire(name, lease)
    end
  end
  unsubscribe(mine)
  if wait ~= nil then
    unwant(name)
  end
  return wait == nil
end

function unlock(name, lease)
  leave(name)
  redis.eval("unlock", { name, queue(name), timeouts(name), channel(name) }, { 0, lease, owner, stamp() })
end
