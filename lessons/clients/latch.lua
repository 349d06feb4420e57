-- Redisson's countdown latch: a number that others count down. When it is 0 the key is
-- deleted, and a message lets all go on who wait.

local ZERO, NEW = 0, 1 -- messages

local function channel(name) return "redisson_countdownlatch__channel__{" .. name .. "}" end

local function count(name)
  return tonumber(redis.call("GET", name) or 0)
end

function setCount(name, n)
  return redis.eval("set-count", {name, channel(name)}, {NEW, n})
end

function countDown(name)
  redis.eval("count-down", {name, channel(name)}, {ZERO})
end

-- await looks, listens, and looks again before it waits: the count may have come to 0
-- while nobody listened.
function await(name)
  if count(name) == 0 then
    return
  end
  subscribe(channel(name))
  while count(name) > 0 do
    receive(channel(name))
  end
  unsubscribe(channel(name))
end

-- Looking once, before it listens, is the mistake.
function await_without_looking_again(name)
  if count(name) == 0 then
    return
  end
  subscribe(channel(name))
  receive(channel(name))
  unsubscribe(channel(name))
end
