local mode = redis.call('hget', KEYS[1], 'mode')
if not mode then
  redis.call('publish', KEYS[2], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return nil
end
local hold = '{' .. KEYS[1] .. '}:%s:rwlock_timeout:%d'
local count = redis.call('hincrby', KEYS[1], ARGV[2], -1)
redis.call('del', hold:format(ARGV[2], count + 1))
if count == 0 then
  redis.call('hdel', KEYS[1], ARGV[2])
end
local longest = 0
for _, owner in ipairs(redis.call('hkeys', KEYS[1])) do
  for i = 1, tonumber(redis.call('hget', KEYS[1], owner)) or 0 do
    longest = math.max(longest, redis.call('pttl', hold:format(owner, i)))
  end
end
if longest > 0 then
  redis.call('pexpire', KEYS[1], longest)
  return 0
end
-- Nobody reads any more, but the writer that read as well still writes.
if mode == 'write' then
  return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[1])
return 1
