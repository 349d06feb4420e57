-- Several locks at once, each on a server of its own.

local function take(server, name, lease)
  return node(server).call("SET", name, me, "NX", "PX", lease) ~= nil
end

local function give(server, name)
  node(server).eval("unlock", { name }, { me })
end

-- Takes one after the other, and keeps what it has while it waits for the next.
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

-- Takes all or none: when one is refused, those before it are given back.
function multilock(locks, lease)
  while true do
    local got = 0
    for i, l in ipairs(locks) do
      if not take(l.server, l.name, lease) then
        refused(l.name)
        break
      end
      got = i
    end
    if got == #locks then
      break
    end
    for i = 1, got do
      give(locks[i].server, locks[i].name)
    end
    sleep("1s")
  end
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
