local newest = tonumber(redis.call('get', KEYS[2]) or '0')
if tonumber(ARGV[2]) < newest then
  return redis.error_reply('STALE token ' .. ARGV[2] .. ', seen ' .. newest)
end
redis.call('set', KEYS[2], ARGV[2])
return redis.call('rpush', KEYS[1], ARGV[1])
