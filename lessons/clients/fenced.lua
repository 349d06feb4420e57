-- A lock that gives each holder a number which only grows, and what sends that number
-- to a store on another server.

function lock(name, lease)
  local keys = { name, name .. ":token" }
  local token = redis.eval("lock", keys, { me, lease })
  while token == nil do
    refused(name)
    sleep("1s")
    token = redis.eval("lock", keys, { me, lease })
  end
  enter(name)
  return token
end

function unlock(name)
  leave(name)
  if redis.eval("unlock", { name }, { me }) == 0 then
    refused(name)
  end
end

-- append fails when the store has seen a newer token.
function append(file, entry, token)
  node("store").eval("append", { file, file .. ":newest" }, { entry, token })
end
