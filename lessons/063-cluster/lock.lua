-- KEYS: the lock, who waits for it; ARGV: owner, lease in ms
if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then
  redis.call('lrem', KEYS[2], 0, ARGV[1])
  return 1
end
redis.call('rpush', KEYS[2], ARGV[1])
return 0
