-- Ids of 64 bits: one of 0, 31 for the seconds since 2022, and 32 that Redis counts per day.

local START = 1640995200 -- 2022-01-01 00:00:00 UTC, in seconds

-- The day of a time in milliseconds, as yyyy:MM:dd in UTC. Years are counted from
-- March here, so that the day that not all of them have comes last.
local function day(time)
  local days = math.floor(time / 86400000) + 719468 -- since 0000-03-01
  local era = math.floor(days / 146097) -- 400 years
  days = days % 146097
  local year = math.floor((days - math.floor(days / 1460) + math.floor(days / 36524) - math.floor(days / 146096)) / 365)
  days = days - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local month = math.floor((5 * days + 2) / 153)
  days = days - math.floor((153 * month + 2) / 5) + 1
  if month < 10 then
    month = month + 3
  else
    month, year = month - 9, year + 1
  end
  return string.format("%04d:%02d:%02d", 400 * era + year, month, days)
end

function seconds()
  return math.floor(now() / 1000) - START
end

-- seconds << 32 plus count, as text: a number of Lua has only 53 bits. 2^32 is 4294967296.
function join(seconds, count)
  local millions, rest = seconds * 4294, seconds * 967296 + count
  millions, rest = millions + math.floor(rest / 1000000), rest % 1000000
  local id = string.format("%.0f%06.0f", millions, rest)
  say(string.format("%.0f << 32 + %.0f = %s", seconds, count, id))
  return id
end

function counter(prefix)
  return "icr:" .. prefix .. ":" .. day(now())
end

-- server is the one that counts, if it is not the first.
function next_id(prefix, server)
  local time, key = seconds(), counter(prefix)
  return join(time, (server or redis).call("INCR", key))
end
