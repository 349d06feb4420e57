-- Redisson's read-write lock: one hash for all, and beside it a key for each read
-- hold. A channel tells waiters that the lock is free.

local function channel(name) return "redisson_rwlock:{" .. name .. "}" end

-- acquire tries, listens, and tries again when told to or when the wait it was told
-- is over.
local function acquire(script, name, lease, section)
  local function try()
    local wait = redis.eval(script, { name }, { lease, me })
    if wait == nil then
      enter(section)
    else
      refused(section)
    end
    return wait
  end
  local wait = try()
  if wait == nil then
    return
  end
  want(section)
  subscribe(channel(name))
  wait = try()
  while wait ~= nil do
    receive(channel(name), wait)
    wait = try()
  end
  unsubscribe(channel(name))
end

function readLock(name, lease)
  acquire("read-lock", name, lease, "reading")
end

function writeLock(name, lease)
  acquire("write-lock", name, lease, "writing")
end

function readUnlock(name)
  leave("reading")
  if redis.eval("read-unlock", { name, channel(name) }, { 0, me }) == nil then
    refused("reading")
  end
end

-- The message of a write unlock is 1, Redisson's READ_UNLOCK: a client that receives it wakes all
-- of its waiters, since many may read at once.
function writeUnlock(name)
  leave("writing")
  if redis.eval("write-unlock", { name, channel(name) }, { 1, me }) == nil then
    refused("writing")
  end
end
