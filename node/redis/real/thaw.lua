-- Gives every key of the session the time that it has left on the virtual clock,
-- just before the learner's step: milliseconds, or -1 for no TTL, or 0 for a key
-- that is due. ARGV[#KEYS + 1] is 'edge' to begin right after a tick of the
-- server's clock; ARGV[#KEYS + 2] names the key to keep DBSIZE in, if any;
-- ARGV[#KEYS + 3] is that key's TTL.
local function clock()
  local now = redis.call('TIME')
  return now[1] * 1000 + math.floor(now[2] / 1000)
end

local began = ARGV[#KEYS + 1] == 'still' and 0 or clock()
if ARGV[#KEYS + 1] == 'edge' then
  local before = began
  for _ = 1, 50000 do -- far more than a tick takes
    began = clock()
    if began ~= before then break end
  end
end
local missing = 0
for i, key in ipairs(KEYS) do
  if ARGV[i] == '0' then
    redis.call('DEL', key)
  elseif ARGV[i] == '-1' then
    -- Between steps every key has its safety TTL, so nothing to remove is no key.
    missing = missing + 1 - redis.call('PERSIST', key)
  else
    missing = missing + 1 - redis.call('PEXPIRE', key, ARGV[i])
  end
end
if ARGV[#KEYS + 2] ~= '' then
  redis.call('SET', ARGV[#KEYS + 2], redis.call('DBSIZE'), 'PX', ARGV[#KEYS + 3])
end
return {began, missing}
