-- A lock of ephemeral sequential znodes: the lowest number has it. Each of the others
-- watches only the one before it, so that one znode that goes wakes one waiter.

local zk = node("zk")

-- before is the path of the znode in front of mine; nil when there is none.
local function before(root, mine)
  local found
  for _, name in ipairs(zk.children(root)) do
    local path = root .. "/" .. name
    if path < mine and (found == nil or path > found) then
      found = path
    end
  end
  return found
end

-- lock returns the path of its znode and that znode's czxid: a number that is higher for
-- each next holder, a fencing token.
function lock(root)
  local mine, czxid = zk.create(root .. "/lock-", me, { ephemeral = true, sequential = true })
  want(root)
  while true do
    local path = before(root, mine)
    if path == nil then
      enter(root)
      return mine, czxid
    end
    if zk.exists(path, true) then
      zk.event(path)
    end
    -- It may have gone before it was watched, and its owner may have died without having
    -- had the lock. Only the list of children tells.
  end
end

function unlock(root, mine)
  leave(root)
  zk.delete(mine)
end
