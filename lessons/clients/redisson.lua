-- Redisson's lock: a reentrant hash, a watchdog that renews the lease, and
-- waiters that sleep on a channel, with the holder's ttl as the bound.

local WATCHDOG = 30000 -- lockWatchdogTimeout, in milliseconds
local owner = process .. ":" .. me
local held = {} -- how often this thread holds each lock
local leases = {} -- the lease that the next unlock sends, if a hold is left: the caller's own

local function channel(name)
  return "redisson_lock__channel:{" .. name .. "}"
end

-- Renews the lease every third of it, until it is not this thread's any more, or a renewal fails.
local function watch(name)
  while true do
    sleep(WATCHDOG / 3)
    if redis.eval("renew", { name }, { WATCHDOG, owner }) == 0 then
      refused(name)
      return
    end
  end
end

-- Takes the lock and returns nil, or returns how long its holder still has.
local function acquire(name, lease)
  local ttl = redis.eval("lock", { name }, { lease or WATCHDOG, owner })
  if ttl ~= nil then
    refused(name)
    return ttl
  end
  enter(name)
  held[name] = (held[name] or 0) + 1
  leases[name] = lease
  if lease == nil and held[name] == 1 then
    spawn("watchdog", function() watch(name) end)
  end
end

-- Waits for as long as it takes.
function lock(name, lease)
  local ttl = acquire(name, lease)
  if ttl == nil then
    return
  end
  want(name)
  subscribe(channel(name))
  ttl = acquire(name, lease) -- the lock may have been freed before the subscription stood
  while ttl ~= nil do
    if ttl >= 0 then
      receive(channel(name), ttl)
    else
      receive(channel(name))
    end
    ttl = acquire(name, lease)
  end
  pcall(unsubscribe, channel(name)) -- a lock that is taken is not given back because of this
end

-- Waits for at most so many milliseconds. True when the lock is taken.
function trylock(name, wait, lease)
  local deadline = now() + (wait or 0)
  local ttl = acquire(name, lease)
  if ttl == nil then
    return true
  end
  if now() >= deadline then
    return false
  end
  want(name)
  subscribe(channel(name))
  if now() < deadline then
    ttl = acquire(name, lease)
  end
  while ttl ~= nil and now() < deadline do
    local left = deadline - now()
    if ttl >= 0 and ttl < left then
      left = ttl
    end
    receive(channel(name), left)
    if now() < deadline then
      ttl = acquire(name, lease)
    end
  end
  pcall(unsubscribe, channel(name)) -- a lock that is taken is not given back because of this
  if ttl ~= nil then
    unwant(name)
  end
  return ttl == nil
end

function unlock(name)
  if held[name] then
    leave(name)
    held[name] = held[name] > 1 and held[name] - 1 or nil
  end
  local answered, released = pcall(redis.eval, "unlock", { name, channel(name) }, { 0, leases[name] or WATCHDOG, owner })
  leases[name] = nil -- though holds may be left: a mistake of 3.19.2 to 3.27.1
  if not held[name] then
    cancel("watchdog") -- whatever came back: otherwise a lost unlock would be renewed for ever
  end
  if not answered then
    error(released, 0)
  end
  if released == nil then
    refused(name)
    error("IllegalMonitorStateException: " .. name .. " is not locked by " .. owner, 0)
  end
end
