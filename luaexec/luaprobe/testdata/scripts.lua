return redis.call('incr', 'str')
----
local x = 1

return redis.call(
  'incr',
  'str')
----
local call = redis.call
call('set', KEYS[1], 1)
return call('incr', 'str')
----
local call = redis.call
local function f(k)
  return call('incr',
    k)
end
local n = 1
local r = f('str')
return r
----
local r = redis
r.call('set', 'a', 1)
return r.call('incr', 'str')
----
local redis = redis
redis.call('set', 'a', 1)
return redis.sha1hex('x')
----
redis = nil
----
redis.call = 1
----
local r = redis
r.call = function() end
----
local r = redis
r.new = 1
----
function redis.call() end
----
function redis() end
----
redis:call('get', 'x')
----
return redis:call('get', 'x')
----
redis.call 'incr'
----
return redis.call 'incr'
----
return redis . call('get', 'str')
----
return redis.
  call('incr', 'str')
----
return redis.call()
----
return redis.pcall()
----
return redis.call({})
----
return redis.call('nosuch', 1)
----
return {redis.pcall('nosuch', 1).err, redis.pcall('incr', 'str').err}
----
local ok, e = pcall(redis.call, 'incr', 'str')
return {tostring(ok), e}
----
local ok, e = pcall(function() return redis.call('incr', 'str') end)
return {tostring(ok), tostring(e)}
----
local ok, e = xpcall(function() return redis.call('incr', 'str') end, function(e) return e.err .. '!' end)
return {tostring(ok), tostring(e)}
----
local ok, e = pcall(function()
  local x
  return x.y
end)
return e
----
string.gsub('x', '.', redis.call)
----
return string.gsub('GET', '.+', function(c) return redis.call(c, 'str') end)
----
return coroutine.wrap(function() return redis.call('incr', 'str') end)()
----
return coroutine.wrap(redis.call)('incr', 'str')
----
local co = coroutine.wrap(function(a)
  for i = 1, 50 do
    redis.call('rpush', 'out', i)
    coroutine.yield(i)
  end
end)
local sum = 0
for i = 1, 40 do
  sum = sum + co()
end
return sum
----
error('plain')
----
local function f() error('level two', 2) end
local function g()
  f()
end
g()
----
local function f() error('no position', 0) end
f()
----
error({err = 'MY error'})
----
error(redis.error_reply('MY error'))
----
local t = {}
error(
  {err =
    'MY error'})
----
error()
----
error(nil)
----
error(12)
----
error('level three', 3)
----
local function f() return error('tail') end
return f()
----
local function f(n) if n == 0 then error('deep', 2) end return f(n - 1) end
return f(5)
----
local function f() return f() + 1 end
return f()
----
local function f(n) if n == 0 then return 'done' end return f(n - 1) end
return f(50000)
----
return select('#', ...)
----
local a, b = ...
return {tostring(a), tostring(b), #{...}}
----
return ...
----
return arg
----
local function f(...) return #arg end
return f(1, 2, 3)
----
local function f(...) local a, b = ... return {select('#', ...), a, b} end
return f(1, nil, 3)
----
return 1, 2, 3
----
return nil
----
return false
----
return
----
return {1, 2, nil, 4}
----
return {1, false, 3, {true, 2.7, {ok = 'fine'}, {err = 'ERR in'}}}
----
return {err = 'MY own'}
----
return {ok = 'OK'}
----
return 3.99
----
return redis.status_reply('X')
----
return function() end
----
local s = 0
for i = 1, 200 do s = s + i end
return s
----
local out = {}
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then break end
    out[#out + 1] = i .. ':' .. j
  end
end
return out
----
local i = 0
while true do
  i = i + 1
  if i > 100 then return i end
end
----
local i = 0
repeat
  local done = i >= 45
  i = i + 1
until done
return i
----
local function find(t, x)
  for i, v in ipairs(t) do
    if v == x then
      return i
    end
  end
end
local n = 0
for i = 1, 50 do
  n = n + find({5, 6, 7}, 7)
end
return n
----
local function fact(n)
  for i = 1, 1 do
    if n <= 1 then return 1 end
    return n * fact(n - 1)
  end
end
return fact(10)
----
for i = 1, 30 do
  pcall(function()
    for j = 1, 30 do
      if j == 3 then error('out') end
    end
  end)
end
return 'ok'
----
local t = {5, 3, 4, 1, 2}
table.sort(t, function(a, b)
  for i = 1, 2 do
    if a ~= b then return a < b end
  end
  return false
end)
return t
----
local x = 5
if x == 1 then
  return 1
elseif x == 2 or
  x == 3 then
  return 2
elseif x.y then
  return 3
end
----
local x = nil
if x
  and true then
  return 1
elseif
  x.y then
  return 2
end
----
local x
while x.y do end
----
repeat local z = nil until z.y
----
local a = 1; (function() a = 2 end)(); return a
----
local a = {f = function(self, n) return n end}
a:f(1); (a).g = 3
return {a:f(2), a.g}
----
local s = [[
long
string]]
local t = [==[
]]]==]
return s .. t .. "\065\10\
x" .. '\'' --[[ comment
over lines ]] .. 'end' -- last
----
-- a comment at the end without a line break
return 1 -- end
----
return 1;
----
do local x = 1 end
do end
return x
----
KEYS[1] = 'other'
return KEYS
----
x = 1
----
return x
----
local probe_line = 'mine'
local function probe_body() return probe_line end
return probe_body()
----
local t = setmetatable({}, {__index = function(t, k) return k end, __tostring = function() error('no') end, __len = function() error('no') end})
return t.x
----
local t = {1, 2, 3, x = 1, [2.5] = 2, [true] = 3, [{}] = 4}
t.t = t
local u = t
return #u
----
local big = {}
for i = 1, 300 do big['k' .. i] = i end
local s = string.rep('x', 500)
return s
----
local a, b, c = (function() return 1, 2, 3 end)()
local t = {(function() return 1, 2 end)(), (function() return 1, 2 end)()}
return {a, b, c, #t, ((function() return 9, 8 end)())}
----
local t = {n = 1; 2, 3; [10] = 4,}
return t
----
return -2 ^ 2 .. 'x' .. (not nil and 1 or 2) .. #'abc' .. 2 ^ 3 ^ 2 .. 7 % 4
----
function undefined() end
----
local function a() local function b() local function c() return redis.call('incr', 'str') end c() end b() end a()
----
local ok = pcall(function()
  redis.call('set', 'before', 1)
  redis.call('incr', 'str')
  redis.call('set', 'after', 1)
end)
return redis.call('exists', 'before', 'after')
----
redis.call('set', 'kept', 1)
redis.call('incr', 'str')
----
return redis.call('get', 'str') .. nil
----
return cjson.encode({redis.call('lrange', 'list', 0, -1)})
----
return redis.call(KEYS[1] and 'get', 'str')
----
local function get(k) return redis.pcall('get', k) end
return {get('str'), get('list').err}
----
return redis.call('set', 'k', 'v')
----
return redis.pcall('incr', 'str')
----
local call, pcall = redis.call, redis.pcall
return {call('get', 'str'), pcall('incr', 'str').err, redis.call == call}
----
local log = redis.log
log(redis.LOG_DEBUG, 'x')
return redis.REPL_ALL
----
return math.random(1000)
----
return 0x10 + 1e2 + .5 + 3.
----
redis.call('xadd', 's', '1-1', 'f', 'v')
return redis.call('xlen', 's')
----
redis.call('hset', 'h', 'b', 1, 'a', 2) redis.call('pexpire', 'h', 5000) redis.call('del', 'h', 'str') return redis.call('exists', 'h')
----
for k, v in pairs({a = 1}) do redis.call('set', k, v) end for i = 3, 1, -1 do redis.call('rpush', 'l', i) end return redis.call('lrange', 'l', 0, -1)
----
local i = 10 while i > 0 do i = i - 1 if i == 5 then break end end return i
----
assert(false, 'asserted')
----
assert(redis.call('get', 'nokey'))
----
return tonumber('x') + 1
----
return {pcall(error)}
----
return {pcall(error, {err = 'E'})}
----
return unpack({1, 2, 3}, 2)
----
return _G.redis.call('incr', 'str')
----
local t = {redis, redis.call}
return t[1].call('get', 'str')
----
local M = {call = redis.call}
function M:run(k) return self.call('incr', k) end
return M:run('str')
----
return (redis.call('incr', 'str'))
----
return redis.call('incr', 'str').x
----
return redis.call('incr', redis.call('get', 'str'))
----
return not redis.call('get', 'nokey')
----
local function v(...)
  return redis.call(...)
end
return v('incr', 'str')
