-- A client that follows a cluster: it asks the node that has the key, and learns from
-- MOVED when it was the wrong one. ASK sends it elsewhere for this one request.

local known = {} -- which node has a slot, as far as this client has learnt

local function send(key, request)
  local server = known[slot(key)] or "n1"
  while true do
    local answered, reply = pcall(request, node(server))
    if answered then return reply end
    local kind, to = string.match(reply, "^(%u+) %d+ (%S+)")
    if kind == "ASK" then
      return request(node(to, { asking = true }))
    elseif kind ~= "MOVED" then
      error(reply, 0)
    end
    say(key .. " has slot " .. slot(key) .. ", which is on " .. to)
    known[slot(key)], server = to, to
  end
end

function call(command, key, ...)
  local rest = { ... }
  return send(key, function(server) return server.call(command, key, unpack(rest)) end)
end

-- A script is sent to the node of its first key.
function eval(script, keys, args)
  return send(keys[1], function(server) return server.eval(script, keys, args) end)
end

-- The slot of a key by a rule that is too short: of whatever stands between the first { and the
-- first }, though that may be nothing, or there may be none behind it.
function slot_by_a_shorter_rule(key)
  local first = string.find(key, "{", 1, true)
  if first then
    local last = string.find(key, "}", 1, true)
    if not last or last < first then
      error("StringIndexOutOfBoundsException", 0)
    end
    key = string.sub(key, first + 1, last - 1)
  end
  return slot(key)
end
