-- Redisson's lock with a request that is sent again when no reply comes: as it is since 3.24.0, when an
-- unlock has an id and its answer is kept under it (the latch), and beside it as it was before.

local LATCH = 13500 -- for how long an answer is kept: (timeout 3000 + retryInterval 1500) × retryAttempts 3, the defaults up to 3.47.0
local owner = process .. ":" .. me
local unlocks = 0

local function channel(name) return "redisson_lock__channel:{" .. name .. "}" end

-- When no reply came, the first try may have been carried out nevertheless.
local function send(script, keys, args)
  local answered, reply = pcall(redis.eval, script, keys, args)
  if answered then
    return reply
  end
  say("no reply: I send it again")
  return redis.eval(script, keys, args)
end

-- True when the lock is taken. Does not wait.
local function take(script, name, lease)
  if redis.eval(script, { name }, { lease, owner }) ~= nil then
    refused(name)
    return false
  end
  enter(name)
  return true
end

local function check(name, released)
  if released == nil then
    refused(name)
    error("IllegalMonitorStateException: attempt to unlock lock, not locked by current thread " .. owner, 0)
  end
end

function trylock(name, lease)
  return take("lock", name, lease)
end

function unlock(name, lease)
  leave(name)
  unlocks = unlocks + 1
  local latch = "redisson_unlock_latch:{" .. name .. "}:" .. me .. "-" .. unlocks
  local released = send("unlock", { name, channel(name), latch }, { 0, lease, owner, "publish", LATCH })
  redis.call("DEL", latch)
  check(name, released)
end

-- The same with the scripts before 3.19.0 and 3.24.0.
function early_trylock(name, lease)
  return take("early-lock", name, lease)
end

function early_unlock(name, lease)
  leave(name)
  check(name, send("early-unlock", { name, channel(name) }, { 0, lease, owner }))
end
