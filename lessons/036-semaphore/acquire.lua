local permits = tonumber(redis.call('get', KEYS[1]) or '0')
if permits < tonumber(ARGV[1]) then
  return 0
end
redis.call('decrby', KEYS[1], ARGV[1])
return 1
