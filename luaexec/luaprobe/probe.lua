local type, next, rawget, tostring, select, pcall, xpcall, error, setmetatable, concat, sort, sub, gsub, lower =
  type, next, rawget, tostring, select, pcall, xpcall, error, setmetatable, table.concat, table.sort, string.sub, string.gsub,
  string.lower
local redispcall = redis.pcall

-- A value as text, see value.go.
local function encode(v, depth, bytes, entries)
  local t = type(v)
  if t == 'string' then
    local head = #v > bytes and 'c' .. #v .. ':' or 's'
    return head .. gsub(sub(v, 1, bytes), '[;\\]', '\\%0') .. ';'
  elseif t == 'number' then
    return 'n' .. tostring(v) .. ';'
  elseif t == 'boolean' then
    return v and 'y' or 'x'
  elseif t ~= 'table' then
    return t == 'nil' and 'z' or 'o' .. t .. ';'
  elseif depth == 0 then
    return 't'
  end
  local counted = entries > 100 and entries or 100
  local out, n = {}, 0
  local function add(part)
    n = n + 1
    out[n] = part
  end
  local array = 0
  while array < counted and rawget(v, array + 1) ~= nil do
    array = array + 1
    if array <= entries then
      add(encode(rawget(v, array), depth - 1, bytes, entries))
    end
  end
  -- Which keys are met first differs from engine to engine: they are shown only
  -- when all of them are counted.
  local shown, keys, others, k = n, {}, 0, nil
  if array < counted then
    k = next(v)
    while k ~= nil and others <= counted do
      if type(k) ~= 'number' or k < 1 or k > array or k % 1 ~= 0 then
        others = others + 1
        keys[others] = k
      end
      k = next(v, k)
    end
  end
  local cut = array == counted or others > counted
  if others > counted then
    others = 0
  elseif others > entries - shown then
    local text = {}
    for i = 1, others do
      local t = type(keys[i])
      text[keys[i]] = (t == 'string' or t == 'number') and tostring(keys[i]) or t
    end
    sort(keys, function(a, b) return text[a] < text[b] end)
  end
  for i = 1, others do
    if n >= shown + 2 * (entries - shown) then
      break
    end
    add(encode(keys[i], 0, bytes, 0))
    add(encode(rawget(v, keys[i]), depth - 1, bytes, entries))
  end
  return 'a' .. array .. ',' .. shown .. ',' .. others .. ',' .. (cut and 1 or 0) .. ',' .. n .. ':' .. concat(out)
end

-- What is kept. A pass is a list of events and of the loops in it; the running loops are
-- those around the current pass.
local seq, kept, root, tail, tailed, last = 0, 0, {}, {}, 0, 0
local pass = root
local left = {}

-- An event holds as text only nil and what can change later. The rest is converted when
-- it is reported: most events of a long loop never are.
local NIL = {'z'}

local function put(e)
  if tailed == 0 and kept < HEAD then
    kept = kept + 1
    pass[#pass + 1] = e
  else
    tailed = tailed + 1
    e.pass = pass
    tail[tailed % TAIL + 1] = e
  end
end

local function size(list)
  local n = 0
  for i = 1, #list do
    local e = list[i]
    if e.passes then
      for _, p in next, e.passes do
        n = n + size(p)
      end
    else
      n = n + 1
    end
  end
  return n
end

function probe_line(id, ...)
  seq = seq + 1
  last = id
  local e = {seq, 0, id, ...}
  for i = 4, select('#', ...) + 3 do
    local v = e[i]
    if v == nil then
      e[i] = NIL
    elseif type(v) == 'table' then
      e[i] = {encode(v, 1, 60, 20)}
    end
  end
  put(e)
end

function probe_loop(id)
  local l = {id = id, n = 0, passes = {}, list = pass}
  if tailed == 0 then
    pass[#pass + 1] = l
  end
  pass = {loop = l, n = 0, up = pass}
  l.passes[0] = pass
  left[id] = nil
end

-- The pass of a loop that is running, or nil.
local function running(id)
  local p = pass
  while p.loop do
    if p.loop.id == id then
      return p
    end
    p = p.up
  end
end

function probe_pass(id)
  local l = pass.loop
  if not l or l.id ~= id then
    -- The loops in between ended with an error, or wait in a coroutine.
    local p = running(id)
    if p then
      while pass ~= p do
        left[pass.loop.id] = pass
        pass = pass.up
      end
    else
      p = left[id]
      if not p then
        probe_loop(id)
        p = pass
      else
        p.loop.list = pass
      end
    end
    l = p.loop
  end
  local n = l.n + 1
  l.n = n
  pass = {loop = l, n = n, up = l.list}
  if tailed == 0 then
    if n > PASSES then
      local slot = PASSES + n % PASSES + 1
      local old = l.passes[slot]
      if old then
        kept = kept - size(old)
      end
      l.passes[slot] = pass
    else
      l.passes[n] = pass
    end
  end
end

function probe_leave(id)
  local p = running(id)
  if p then
    pass = p.up
  end
  left[id] = nil
end

-- The keys that a command wrote, as they are now.
local reads = {
  string = function(key) return redispcall('get', key) end,
  hash = function(key) return redispcall('hgetall', key) end,
  list = function(key) return redispcall('lrange', key, 0, -1) end,
  set = function(key) return redispcall('smembers', key) end,
  zset = function(key) return redispcall('zrange', key, 0, -1, 'withscores') end,
  stream = function(key) return redispcall('xrange', key, '-', '+') end,
}
local function views(e, ...)
  local command = ...
  local span = type(command) == 'string' and WRITES[lower(command)]
  if not span then
    return
  end
  local n, w = select('#', ...), {}
  for i = span[1], span[2] < 0 and n + span[2] or span[2], span[3] do
    local key = select(i + 1, ...)
    local t = i < n and redispcall('type', key)
    if t then
      local kind = t.ok or 'none' -- a server of a cluster refuses to speak of a key that is gone from a slot on its way
      local read = reads[kind]
      w[#w + 1] = encode(tostring(key), 1, 4096, 0)
      w[#w + 1] = encode(kind, 1, 200, 0)
      w[#w + 1] = encode(t.ok and redispcall('pttl', key) or -2, 1, 200, 0)
      w[#w + 1] = encode(read and read(key), 3, 4096, 1000)
    end
  end
  e.views = w
end

local function called(site, kind, r, ...)
  seq = seq + 1
  local n = select('#', ...)
  local e = {seq, 0, 0, site, kind, n, {encode(r, 4, 200, 20)}, ...}
  for i = 8, n + 7 do
    local v = e[i]
    if v == nil then
      e[i] = NIL
    elseif type(v) == 'table' then
      e[i] = {encode(v, 1, 60, 20)}
    end
  end
  if n > 1 and not (type(r) == 'table' and rawget(r, 'err')) then
    views(e, ...)
  end
  put(e)
  return r
end

function probe_pcallat(site, ...)
  return (called(site, 1, redispcall(...), ...))
end

function probe_pcall(...)
  return (called(0, 1, redispcall(...), ...))
end

local raised, raisedAt
function probe_callat(site, ...)
  local r = called(site, 0, redispcall(...), ...)
  if type(r) == 'table' and rawget(r, 'err') then
    raised, raisedAt = r, site
    error(r, 0)
  end
  return r
end

function probe_call(...)
  local r = called(0, 0, redispcall(...), ...)
  if type(r) == 'table' and rawget(r, 'err') then
    error(r, 0)
  end
  return r
end

-- Stands for redis as a value: everything can be read, and Redis refuses all writes.
probe_redis = setmetatable({}, {
  __index = function(_, k)
    if k == 'call' then
      return probe_call
    elseif k == 'pcall' then
      return probe_pcall
    end
    return redis[k]
  end,
  __newindex = redis,
})

function probe_none() end

-- The report, see decode.go.
local values, indexes, passes, events = {}, {}, {}, {}

local function textIndex(text)
  local i = indexes[text]
  if not i then
    i = #values + 1
    values[i], indexes[text] = text, i
  end
  return i
end

local known = {}
local function indexOf(v)
  if type(v) == 'table' then
    return textIndex(v[1])
  end
  local i = known[v]
  if not i then
    i = textIndex(encode(v, 1, 200, 0))
    if v == v and v ~= 0 then -- 0 is also -0
      known[v] = i
    end
  end
  return i
end

local function passOf(p)
  if not p.loop then
    return 0
  end
  if not p.index then
    local up = passOf(p.up)
    p.index = #passes + 1
    passes[p.index] = {up, p.n}
  end
  return p.index
end

local function tell(e, p)
  e[2] = passOf(p)
  for i = e[3] == 0 and 7 or 4, #e do
    e[i] = indexOf(e[i])
  end
  local w = e.views
  if w then
    for i = 1, #w do
      e[#e + 1] = textIndex(w[i])
    end
  end
  events[#events + 1] = e
end

local function tellAll(list)
  for i = 1, #list do
    local e = list[i]
    if e.passes then
      for j = 0, 2 * PASSES do
        local p = e.passes[j]
        if p then
          tellAll(p)
        end
      end
    else
      tell(e, list)
    end
  end
end

-- The places on the stack where an error was raised, innermost first. Levels are counted
-- from the level of this handler.
local function caught(e)
  local text = e
  if type(e) == 'table' then
    text = rawget(e, 'err')
    if type(text) ~= 'string' and type(text) ~= 'number' then
      text = false
    end
  else
    text = 'ERR ' .. tostring(e)
  end
  local where, level = {text, e ~= nil and e == raised and raisedAt or 0}, 1
  repeat
    local _, here = pcall(error, '', level)
    level = level + 1
  until here ~= '' or level > 9
  for i = 0, 3 do
    local _, place = pcall(error, '', level + i)
    where[#where + 1] = place
  end
  return where
end

local ok, result = xpcall(probe_body, caught)
tellAll(root)
for i = 1, TAIL do
  if tail[i] then
    tell(tail[i], tail[i].pass)
  end
end
if ok then
  return {'lockstep probe 1', seq, values, passes, events, 'return', result}
end
if type(result) ~= 'table' then
  -- There was no room left on the stack for the handler.
  result = {'ERR ' .. tostring(result), 0}
end
return {'lockstep probe 1', seq, values, passes, events, 'error', last, result}
