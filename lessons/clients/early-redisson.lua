-- Redisson's lock with mistakes of several releases: a request without a reply is sent once more, and
-- what counts twice keeps its watchdog (3.10.0 to 3.10.4); a watchdog that ends leaves its entry in the map
-- (3.10.7 to 3.16.0; when it ends for want of a reply, 3.10.5 to 3.13.6).

local WATCHDOG = 30000 -- lockWatchdogTimeout, in milliseconds
local owner = process .. ":" .. me

-- Which locks have a watchdog: a map that all threads of the process share.
local function entry(name) return "watchdog:" .. name end

-- When no reply came, the first try may have been carried out nevertheless.
local function send(script, keys, args)
  local answered, reply = pcall(redis.eval, script, keys, args)
  if answered then
    return reply
  end
  say("no reply: I send it again")
  return redis.eval(script, keys, args)
end

-- Ends when a renewal fails. The lock's entry in the map stays as it is.
local function watch(name)
  while true do
    sleep(WATCHDOG / 3)
    local answered, renewed = pcall(redis.eval, "renew", { name }, { WATCHDOG, owner })
    if not answered or renewed == 0 then
      say("the watchdog ends")
      return
    end
  end
end

-- True when the lock is taken. Does not wait.
function trylock(name)
  if send("lock", { name }, { WATCHDOG, owner }) ~= nil then
    refused(name)
    return false
  end
  enter(name)
  if not shared.get(entry(name)) then
    shared.set(entry(name), "runs")
    spawn("watchdog", function() watch(name) end)
  end
  return true
end

-- Here only the unlock that frees the lock ends the watchdog; in Redisson one that fails does, too, and up to
-- 3.10.5 and since 3.12.1 one that finds no lock. False when none is held.
function unlock(name)
  leave(name)
  local released = send("unlock", { name, "redisson_lock__channel:{" .. name .. "}" }, { 0, WATCHDOG, owner })
  if released == nil then
    refused(name)
    return false
  end
  if released == 1 then
    shared.set(entry(name), nil)
    cancel("watchdog")
  end
  return true
end
