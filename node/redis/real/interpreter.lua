-- Counts the ways in which a script could change what the scripts of others find. It
-- changes nothing by itself.
local function can(f) return pcall(f) and 1 or 0 end
return can(function() local m = getmetatable('') m.__index = m.__index end)
  + can(function() return setfenv end)
