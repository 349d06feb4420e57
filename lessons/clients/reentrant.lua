-- A lock that its holder may take again: a hash counts how often it did. The holder is
-- this thread, unless another owner is named.

local LEASE = 30 -- seconds, as EXPIRE counts

function trylock(name, owner)
  local taken = redis.eval("lock", { name }, { owner or me, LEASE })
  if taken == 0 then
    refused(name)
    return false
  end
  enter(name)
  return true
end

function unlock(name, owner)
  leave(name)
  redis.eval("unlock", { name }, { owner or me, LEASE })
end
