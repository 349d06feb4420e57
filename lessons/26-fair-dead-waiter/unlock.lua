-- Places whose time is over are taken out of the queue first.
while true do
  local first = redis.call('lindex', KEYS[2], 0);
  if first == false then
    break;
  end;
  local timeout = redis.call('zscore', KEYS[3], first);
  if timeout ~= false and tonumber(timeout) > tonumber(ARGV[4]) then
    break;
  end;
  redis.call('zrem', KEYS[3], first);
  redis.call('lpop', KEYS[2]);
end;

-- Each waiter has a channel of its own: only the first in the queue is woken.
local function wake_first()
  local first = redis.call('lindex', KEYS[2], 0);
  if first ~= false then
    redis.call('publish', KEYS[4] .. ':' .. first, ARGV[1]);
  end;
end;

if redis.call('exists', KEYS[1]) == 0 then
  wake_first();
  return 1;
end;
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil;
end;
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2]);
  return 0;
end;
redis.call('del', KEYS[1]);
wake_first();
return 1;
