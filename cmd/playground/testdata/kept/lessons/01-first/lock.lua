-- Takes the lock for a time, unless somebody has it: 1 or 0.
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
return 0
