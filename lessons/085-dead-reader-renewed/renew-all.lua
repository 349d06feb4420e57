-- Whoever renews its hold renews those of all readers.
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return 0
end
redis.call('pexpire', KEYS[1], ARGV[1])
for _, reader in ipairs(redis.call('hkeys', KEYS[1])) do
  for i = 1, tonumber(redis.call('hget', KEYS[1], reader)) or 0 do
    redis.call('pexpire', '{' .. KEYS[1] .. '}:' .. reader .. ':rwlock_timeout:' .. i, ARGV[1])
  end
end
return 1
