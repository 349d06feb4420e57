-- Redisson's rate limiter: so many permits in any span of a length. A permit is free
-- again when the span after it was taken is over.

local taken = 0 -- how many this thread has

local function keys(name)
  return {name, "{" .. name .. "}:value", "{" .. name .. "}:permits"}
end

function setRate(name, rate, interval)
  return redis.eval("set-rate", {name}, {rate, interval}) == 1
end

-- acquire sleeps for as long as it is told, and asks again. ahead is how far this
-- client's clock is ahead of the others'.
function acquire(name, ahead)
  while true do
    local now = ahead and stamp(ahead) or stamp()
    local wait = redis.eval("acquire", keys(name), {now, me .. ":" .. taken + 1, 1})
    if wait == nil then
      taken = taken + 1
      return
    end
    refused(name)
    sleep(wait)
  end
end
