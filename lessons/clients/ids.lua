-- Ids of 64 bits: one of 0, 31 for the seconds since 2022, and 32 that Redis counts per day.

local START = 1640995200 -- 2022-01-01 00:00:00 UTC, in seconds

function seconds()
  return math.floor(now() / 1000) - START
end

function counter(prefix)
  return "icr:" .. prefix .. ":" .. date("%Y:%m:%d")
end

-- The id as text, because a number of Lua has only 53 bits.
function join(seconds, count)
  local id = tostring(int64(seconds):shl(32) + count)
  say("(" .. seconds .. " << 32) + " .. count .. " = " .. id)
  return id
end

-- server is the one that counts, if it is not the first.
function next_id(prefix, server)
  local time, key = seconds(), counter(prefix)
  return join(time, (server or redis).call("INCR", key))
end
