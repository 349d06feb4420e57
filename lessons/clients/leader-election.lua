-- The leader election of Kubernetes' client-go, on a record that Redis keeps in the place of the API server.
-- Kubernetes' own controllers have 15, 10 and 2 s; client-go itself has no defaults.
leaseDuration, renewDeadline, retryPeriod = 15, 8, 4

local version   -- the resourceVersion of the record as it was seen last (client-go compares the record itself)
local quiet = 0 -- for how long the record has not changed, by timers of this process

-- What renewTime says is for people to read: nothing here looks at it.
local function update(name)
  version = redis.eval("update", { name }, { version, me, date("%H:%M:%S") })
end

local function tryAcquire(name)
  local record = redis.call("HMGET", name, "holderIdentity", "renewTime", "resourceVersion")
  local holder, newest = record[1], record[3] or "0"
  if newest == version then
    quiet = quiet + retryPeriod
  else
    version, quiet = newest, 0
  end
  if holder and quiet < leaseDuration then
    refused(name)
    return false
  end
  return pcall(update, name) -- CONFLICT: somebody else was faster
end

-- True if the lease was renewed within renewDeadline.
local function renew(name)
  local left = renewDeadline
  while left > 0 do
    if pcall(update, name) then
      return true
    end
    left = left - retryPeriod
    sleep((retryPeriod - 1) .. "s") -- the attempt counts as a second
  end
  return false
end

-- run leads once, and until a renewal fails, or as many renewals have been made as the process lives for.
function run(name, renewals)
  while not tryAcquire(name) do
    sleep(retryPeriod .. "s")
  end
  enter(name)
  repeat
    sleep(retryPeriod .. "s")
    renewals = renewals - 1
  until not renew(name) or renewals == 0
  leave(name)
end
