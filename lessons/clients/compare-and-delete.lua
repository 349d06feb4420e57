-- SET NX PX takes the lock with a value of one's own; unlocking compares it first.

function trylock(name, lease)
  local taken = redis.call("SET", name, me, "NX", "PX", lease)
  if taken == nil then
    refused(name)
    return false
  end
  enter(name)
  return true
end

-- Two requests: anything may happen between them.
function unlock_in_two_steps(name)
  leave(name)
  if redis.call("GET", name) == me then
    redis.call("DEL", name)
  end
end

-- One script: comparing and deleting cannot be torn apart.
function unlock(name)
  leave(name)
  if redis.eval("unlock", { name }, { me }) == 0 then
    refused(name) -- it is somebody else's by now, or nobody's
  end
end
