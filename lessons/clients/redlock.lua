-- RedLock: the same key on several servers that know nothing of each other. Whoever gets
-- most of them, quickly enough, holds the lock.

local servers = { "n1", "n2", "n3", "n4", "n5" }

-- among names the servers, if they are not these five.
function among(names)
  servers = names
end

-- A server that is down or silent must not hold up the others for long.
local function ask(server)
  return node(server, { timeout = "100ms" })
end

function unlock(name)
  leave(name)
  unlock_all(name)
end

-- All servers are asked, those that seemed to refuse, too: their replies may have been lost.
function unlock_all(name)
  for _, server in ipairs(servers) do
    pcall(ask(server).eval, "unlock", { name }, { me })
  end
end

function trylock(name, lease)
  local majority = math.floor(#servers / 2) + 1
  local began, got = now(), 0
  for _, server in ipairs(servers) do
    local answered, reply = pcall(ask(server).call, "SET", name, me, "NX", "PX", lease)
    if answered and reply == "OK" then
      got = got + 1
    end
  end
  local drift = lease / 100 + 2 -- clocks do not run equally fast
  local left = lease - (now() - began) - drift
  if got >= majority and left > 0 then
    say(got .. " of " .. #servers .. ", valid for " .. left .. " ms")
    enter(name)
    return true
  end
  say(got .. " of " .. #servers .. ": refused")
  refused(name)
  unlock_all(name)
  return false
end
