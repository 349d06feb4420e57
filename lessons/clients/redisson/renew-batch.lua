-- One call renews many locks: ARGV[1] is the lease, and the owner of KEYS[i] is ARGV[i + 1].
local renewed = {}
for i, lock in ipairs(KEYS) do
  renewed[i] = redis.call('hexists', lock, ARGV[i + 1])
  if renewed[i] == 1 then
    redis.call('pexpire', lock, ARGV[1])
  end
end
return renewed
