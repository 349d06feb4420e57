-- Without what a writer needs that reads as well, or whose lock is gone.
local field = ARGV[2] .. ':write'
if redis.call('hexists', KEYS[1], field) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], field, -1) > 0 then
  return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[1])
return 1
