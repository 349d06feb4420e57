-- Redisson's spin lock: no messages. Who is refused asks again after a pause, which
-- doubles from 1 ms to 128 ms. (Redisson adds a random part, which is left out here.)

local SHORTEST, LONGEST = 1, 128 -- milliseconds
local owner = process .. ":" .. me
local leased -- the lease that was asked for last

function lock(name, lease)
  local pause = SHORTEST
  leased = lease
  while redis.eval("lock", { name }, { lease, owner }) ~= nil do
    refused(name)
    want(name)
    sleep(pause)
    pause = math.min(pause * 2, LONGEST)
  end
  enter(name)
end

function unlock(name)
  leave(name)
  if redis.eval("unlock", { name }, { leased, owner }) == nil then
    refused(name)
  end
end
