-- Deletes the keys whose names match the pattern ARGV[1], which every name of the
-- session does.
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end
