-- Redisson's semaphore: a number of permits in a string, which knows neither who has
-- them nor for how long. Who waits is told by a message.

local function channel(name) return "redisson_sc:{" .. name .. "}" end

function tryAcquire(name)
  local taken = redis.eval("acquire", {name}, {1}) == 1
  if not taken then
    refused(name)
  end
  return taken
end

-- acquire tries, listens, and tries again for each message.
function acquire(name)
  if tryAcquire(name) then
    return
  end
  subscribe(channel(name))
  while not tryAcquire(name) do
    receive(channel(name))
  end
  unsubscribe(channel(name))
end

-- release looks at nobody: whoever calls it adds a permit.
function release(name)
  redis.eval("release", {name, channel(name)}, {1})
end
