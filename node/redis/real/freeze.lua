-- Reads the keys after the learner's step and puts the safety TTL on them.
-- KEYS are the names that the session knows and those that the step declared.
-- A script may touch others: then DBSIZE does not add up, and they are looked for.
local pattern = ARGV[1]          -- what every name of the session matches
local alive = tonumber(ARGV[2])  -- how many of KEYS were there before the step
local counted = ARGV[3]          -- the key that holds the DBSIZE of then, '' on a server of our own
local moves = ARGV[4] == 'moves' -- time moves while this runs: a step may have to be undone
local safety = ARGV[5]           -- milliseconds
local mark = ARGV[6]             -- by which the report is known

-- First what depends on the time, so that as little as possible passes.
local names, left, seen = {}, {}, {}
local function note(key)
  if not seen[key] then
    local ms = redis.call('PTTL', key)
    if ms ~= -2 then
      names[#names + 1], left[#left + 1] = key, ms
    end
  end
  seen[key] = true
end
for _, key in ipairs(KEYS) do note(key) end

-- What the server refuses now, it has refused in the step: nothing happens between the two. This writes
-- nothing, and is refused as what needs memory.
local refused = redis.pcall('SETRANGE', counted ~= '' and counted or mark, 0, '')
refused = type(refused) == 'table' and refused.err or ''

local expected = #names
local size
if counted == '' then
  size = redis.call('DBSIZE')
else
  expected = tonumber(redis.call('GET', counted) or '0') + #names - alive
  redis.call('DEL', counted)
  size = redis.call('DBSIZE')
end
if size ~= expected then
  local before = #names
  for _, key in ipairs(redis.call('KEYS', pattern)) do note(key) end
  expected = expected + #names - before
end
local now = moves and redis.call('TIME') or {0, 0}

local read = {
  string = function(key) return redis.call('GET', key) end,
  hash = function(key) return redis.call('HGETALL', key) end,
  list = function(key) return redis.call('LRANGE', key, 0, -1) end,
  set = function(key) return redis.call('SMEMBERS', key) end,
  zset = function(key) return redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end,
  stream = function(key) return redis.call('XRANGE', key, '-', '+') end,
}
local found = {}
for i, key in ipairs(names) do
  -- With a TTL that cannot end while it is read.
  redis.call('PEXPIRE', key, safety)
  local type = redis.call('TYPE', key).ok
  local value = read[type] and read[type](key) or ''
  found[i] = {key, type, left[i], value, moves and redis.call('DUMP', key) or ''}
end
return {mark, now[1] * 1000 + math.floor(now[2] / 1000), size - expected, found, refused}
