-- Deletes the keys that one SCAN finds: ARGV[1] is its cursor, ARGV[2] the pattern
-- that every name of the session matches. Returns the next cursor.
local found = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
for _, key in ipairs(found[2]) do redis.call('DEL', key) end
return found[1]
