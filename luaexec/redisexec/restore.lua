-- Undoes a step: KEYS are all names that the session may have, ARGV holds what
-- each was before, in the server's own form, '' for a key that was not there.
-- The last of ARGV is the safety TTL in milliseconds.
for i, key in ipairs(KEYS) do
  redis.call('DEL', key)
  if ARGV[i] ~= '' then
    redis.call('RESTORE', key, ARGV[#KEYS + 1], ARGV[i])
  end
end
return #KEYS
