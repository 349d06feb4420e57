-- A client that follows a cluster: it asks the node that has the key, and learns from
-- MOVED when it was the wrong one.

local known = {} -- which node has a slot, as far as this client has learnt

function call(command, key, ...)
  local server = known[slot(key)] or "n1"
  while true do
    local answered, reply = pcall(node(server).call, command, key, ...)
    local moved = not answered and string.match(reply, "^MOVED %d+ (%S+)")
    if not moved then
      if not answered then error(reply, 0) end
      return reply
    end
    say(key .. " has slot " .. slot(key) .. ", which is on " .. moved)
    known[slot(key)], server = moved, moved
  end
end

-- A script is sent to the node of its first key.
function eval(script, keys, args)
  return node(known[slot(keys[1])] or "n1").eval(script, keys, args)
end

-- The slot of a key as some notes compute it: of whatever stands between { and }, though
-- that may be nothing.
function slot_as_in_the_notes(key)
  local tag = string.match(key, "{(.-)}")
  return slot(tag or key)
end
