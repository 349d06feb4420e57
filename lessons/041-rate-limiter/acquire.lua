local rate = tonumber(redis.call('hget', KEYS[1], 'rate'))
local interval = tonumber(redis.call('hget', KEYS[1], 'interval'))
local now, id, wanted = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local left = tonumber(redis.call('get', KEYS[2]) or rate)

-- What was taken an interval ago, or earlier, is free again.
local old = now - interval
for _, packed in ipairs(redis.call('zrangebyscore', KEYS[3], 0, old)) do
  local _, permits = struct.unpack('Bc0I', packed)
  left = left + permits
end
redis.call('zremrangebyscore', KEYS[3], 0, old)

if left < wanted then
  redis.call('set', KEYS[2], left)
  local first = redis.call('zrange', KEYS[3], 0, 0, 'withscores')
  return tonumber(first[2]) - old
end
redis.call('set', KEYS[2], left - wanted)
redis.call('zadd', KEYS[3], ARGV[1], struct.pack('Bc0I', #id, id, wanted))
return nil
