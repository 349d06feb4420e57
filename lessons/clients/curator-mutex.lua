-- InterProcessMutex of Curator 5, without the random id that it puts before its names to
-- find its znode again after a lost reply.

local zk = node("zk")

local held = {} -- of this thread: path of the mutex to its znode and a count

-- before is the path of the znode in front of mine; nil when there is none.
local function before(path, mine)
  local found
  for _, name in ipairs(zk.children(path)) do
    local other = path .. "/" .. name
    if other < mine and (found == nil or other > found) then
      found = other
    end
  end
  return found
end

-- waitForTurn watches with get and not with exists, which would leave a watch behind for a
-- znode that is gone.
local function waitForTurn(path, mine, deadline)
  while true do
    local other = before(path, mine)
    if other == nil then
      return true
    end
    local watched, problem = pcall(zk.get, other, true)
    if watched then
      local left = deadline and deadline - now()
      if left and left <= 0 then
        return false
      end
      zk.event(other, left) -- told or not, it looks once more
    elseif not problem:find("^NONODE") then
      error(problem, 0)
    end
  end
end

-- acquire returns whether the mutex was acquired within a time; without one it waits for
-- as long as it takes. A thread that has it already asks nobody.
function acquire(path, time)
  if held[path] then
    held[path].count = held[path].count + 1
    enter(path)
    return true
  end
  local deadline = time and now() + time
  local mine = zk.create(path .. "/lock-", me, { ephemeral = true, sequential = true })
  want(path)
  if not waitForTurn(path, mine, deadline) then
    unwant(path)
    zk.delete(mine)
    return false
  end
  held[path] = { znode = mine, count = 1 }
  enter(path)
  return true
end

function release(path)
  local lock = held[path]
  if lock == nil then
    error("You do not own the lock: " .. path, 0)
  end
  leave(path)
  lock.count = lock.count - 1
  if lock.count == 0 then
    held[path] = nil
    zk.delete(lock.znode)
  end
end
