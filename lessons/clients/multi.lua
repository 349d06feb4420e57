-- Several locks at once, each on a server of its own.

local function take(server, name, lease)
  return node(server).call("SET", name, me, "NX", "PX", lease) ~= nil
end

local function give(server, name)
  node(server).eval("unlock", { name }, { me })
end

-- Takes one after the other, and keeps what it has for as long as it waits for the next.
function lock_in_turn(locks, lease)
  for _, l in ipairs(locks) do
    while not take(l.server, l.name, lease) do
      refused(l.name)
      want(l.name)
      sleep("1s")
    end
    enter(l.name)
  end
end

-- Waits for a lock, for so many milliseconds. Returns how many are left when it is taken, and otherwise nil.
local function wait_for(lock, lease, left)
  while not take(lock.server, lock.name, lease) do
    refused(lock.name)
    if left == 0 then
      return nil
    end
    sleep("1500ms")
    left = left - 1500
  end
  return left
end

-- As Redisson's MultiLock.lock() without a lease, which listens instead of asking and has a watchdog: keeps what
-- it has while it waits for the next, but has 1.5 s for each of them together; then it gives all back and begins again.
function multilock(locks, lease)
  local left
  repeat
    local got = 0
    left = 1500 * #locks
    repeat
      left = wait_for(locks[got + 1], lease, left)
      got = left and got + 1 or got
    until left == nil or got == #locks
    if left == nil then
      for i = 1, got do
        give(locks[i].server, locks[i].name)
      end
    end
  until left ~= nil
  for _, l in ipairs(locks) do
    enter(l.name)
  end
end

function unlock(locks)
  for _, l in ipairs(locks) do
    leave(l.name)
    give(l.server, l.name)
  end
end
