-- What a program gets from node(name, options) of a ZooKeeper. Each process has one session with it.
-- A request without a reply leaves open whether it was done.
--
--   .create(path, data, {ephemeral = true, sequential = true})   its path and czxid
--   .exists, .get, .children(path[, watch]), .set(path, data[, version]), .delete(path[, version])
--   .event(path[, timeout])   what a watch tells

local primitive, ask, yield, name, options = ...
local patience = options and options.timeout

local function send(request, path, ...)
  local ok, value = yield(primitive.command(name, { request, path, ... }, patience))
  if ok then
    return value
  elseif value:find("^TIMEOUT ") then
    value = "CONNECTIONLOSS for " .. path
  end
  error(value, 0)
end

local function watch(yes) if yes then return "watch" end end

return {
  create = function(path, data, flags)
    local words = {}
    for _, flag in ipairs({ "ephemeral", "sequential" }) do
      if flags and flags[flag] then words[#words + 1] = flag end
    end
    local made = send("create", path, data or "", unpack(words))
    return made[1], made[2]
  end,
  delete = function(path, version) send("delete", path, version) end,
  set = function(path, data, version) return send("set", path, data, version) end,
  get = function(path, watched)
    local found = send("get", path, watch(watched))
    return found[1], found[2]
  end,
  exists = function(path, watched) return send("exists", path, watch(watched)) end,
  children = function(path, watched) return send("children", path, watch(watched)) end,
  -- Returns what happened to a znode that is watched, or nil if the timeout came first.
  event = function(path, timeout) return ask(primitive.receive(name, path, timeout)) end,
}
