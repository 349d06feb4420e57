-- Redisson's semaphore with permits that expire: each permit has an id and a
-- deadline, by the clock of the client that took it.

local given = 0

local function channel(name) return "redisson_sc:{" .. name .. "}" end

local function deadlines(name) return "{" .. name .. "}:timeout" end

-- Returns the id of a permit, or nil when none is left.
function tryAcquire(name, lease)
  given = given + 1
  local id = process .. "-" .. me .. "-" .. given
  local taken = redis.eval("acquire", { name, deadlines(name), channel(name) }, { id, stamp(lease), stamp() })
  if taken == 0 then
    refused(name)
    return nil
  end
  return id
end

-- False when the permit has expired and was taken back already.
function release(name, id)
  local returned = redis.eval("release", { name, deadlines(name), channel(name) }, { id }) == 1
  if not returned then
    refused(name)
  end
  return returned
end
