-- Gives the lock back, if it is still the caller's: 1 or 0.
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0
