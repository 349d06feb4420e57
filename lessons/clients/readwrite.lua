-- Redisson's read-write lock: one hash for all, and beside it a key for each read
-- hold. A channel tells waiters that the lock is free.

local function channel(name) return "redisson_rwlock:{" .. name .. "}" end

local WATCHDOG = 30000 -- lockWatchdogTimeout, in milliseconds: what is left after an inner unlock, if the lock names no lease

-- The messages of Redisson: UNLOCK wakes one waiter of a process, READ_UNLOCK all of them.
local UNLOCK, READ_UNLOCK = 0, 1

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
    receive(channel(name), wait, READ_UNLOCK)
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
  if redis.eval("read-unlock", { name, channel(name) }, { UNLOCK, me }) == nil then
    refused("reading")
  end
end

-- Many may read at once when a writer has gone, and one may write when the readers have.
function writeUnlock(name)
  leave("writing")
  if redis.eval("write-unlock", { name, channel(name) }, { READ_UNLOCK, me, WATCHDOG }) == nil then
    refused("writing")
  end
end
