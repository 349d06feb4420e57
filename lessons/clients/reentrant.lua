-- A lock that its holder may take again: a hash counts how often it did.

local LEASE = 30 -- seconds, as EXPIRE counts

function trylock(name)
  local taken = redis.eval("lock", { name }, { me, LEASE })
  if taken == 0 then
    refused(name)
    return false
  end
  enter(name)
  return true
end

function unlock(name)
  leave(name)
  redis.eval("unlock", { name }, { me, LEASE })
end
