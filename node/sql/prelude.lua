-- What a program gets from node(name, options) of a SQL server: a connection to it. It ends, and what
-- it has not committed is rolled back, when the program ends.
--
--   .query(sql, ...)   the rows of a SELECT, as tables; each ? is one of the values
--   .exec(sql, ...)    the same for INSERT, UPDATE and DELETE: how many rows they changed
--   .begin([isolation]), .commit(), .rollback()
--   .errno(err)        the number of an error of the server, as 1213; nil: it is no such error
--
-- node(name, {connection = "c1"}) is one that all threads of the process share, as those of a pool. It ends with the process.

local primitive, ask, _, name, options = ...
local patience = options and options.timeout
local shared = options and options.connection

local function send(sql, ...)
  return ask(primitive.statement(name, sql, patience, shared, ...))
end

return {
  query = send,
  exec = send,
  begin = function(isolation)
    if isolation then
      send("SET TRANSACTION ISOLATION LEVEL " .. isolation)
    end
    send("BEGIN")
  end,
  commit = function() send("COMMIT") end,
  rollback = function() send("ROLLBACK") end,
  errno = function(err) return tonumber(string.match(tostring(err), "^ERROR (%d+)")) end,
}
