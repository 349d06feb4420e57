-- Redisson's read-write lock: one hash for all, and beside it a key for each read
-- hold. A channel tells waiters that the lock is free.

local function channel(name) return "redisson_rwlock:{" .. name .. "}" end

-- acquire tries, listens, and tries again when told to or when the wait it was told
-- is over.
local function acquire(script, name, lease)
  if redis.eval(script, {name}, {lease, me}) == nil then
    return
  end
  subscribe(channel(name))
  local wait = redis.eval(script, {name}, {lease, me})
  while wait ~= nil do
    receive(channel(name), wait)
    wait = redis.eval(script, {name}, {lease, me})
  end
  unsubscribe(channel(name))
end

function readLock(name, lease)
  acquire("read-lock", name, lease)
  enter("reading")
end

function writeLock(name, lease)
  acquire("write-lock", name, lease)
  enter("writing")
end

function readUnlock(name)
  redis.eval("read-unlock", {name, channel(name)}, {0, me})
  leave("reading")
end
