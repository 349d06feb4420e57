-- The simplest lock: SET NX EX takes it, DEL gives it back, whoever asks.

function trylock(name, seconds)
  local taken = redis.call("SET", name, me, "NX", "EX", seconds)
  if taken == nil then
    refused(name)
    return false
  end
  enter(name)
  return true
end

function unlock(name)
  leave(name)
  redis.call("DEL", name)
end
