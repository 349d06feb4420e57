-- Places at the head of the queue whose time is over are given up.
while true do
  local head = redis.call('lindex', KEYS[2], 0)
  if not head or tonumber(redis.call('zscore', KEYS[3], head)) > tonumber(ARGV[4]) then
    break
  end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
end
if redis.call('exists', KEYS[1]) == 1 then
  if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
    return nil
  end
  if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
    redis.call('pexpire', KEYS[1], ARGV[2])
    return 0
  end
  redis.call('del', KEYS[1])
end
-- Each waiter has a channel of its own: only the first one is woken.
local head = redis.call('lindex', KEYS[2], 0)
if head then
  redis.call('publish', KEYS[4] .. ':' .. head, ARGV[1])
end
return 1
