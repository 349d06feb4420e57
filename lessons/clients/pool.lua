-- A pool of two connections to the database, which the threads of a process share. A connection that was
-- given back stays open, as it was left.

-- Takes the first connection that nobody has.
function borrow()
  for _, name in ipairs({ "c1", "c2" }) do
    if shared.get(name) == nil then
      shared.set(name, me)
      local connection = node("db", { connection = name })
      connection.name = name
      return connection
    end
  end
  error("the pool is empty", 0)
end

function give_back(connection)
  shared.set(connection.name, nil)
end

-- One statement on a connection of the pool, as JdbcTemplate does without a transaction. Returns the first row.
function query(sql)
  local connection = borrow()
  local rows = connection.query(sql)
  give_back(connection)
  return rows[1]
end
