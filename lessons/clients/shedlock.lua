-- ShedLock's JdbcTemplateLockProvider, with the statements that it sends (SqlStatementsSource, 7.9.0). Times are text
-- here, of the client's clock, where ShedLock has a TIMESTAMP(3). It remembers that the row is there and then leaves the
-- INSERT out; this client asks each time.

local INSERT = "INSERT INTO shedlock(name, lock_until, locked_at, locked_by) VALUES(?, ?, ?, ?)"
local UPDATE = "UPDATE shedlock SET lock_until = ?, locked_at = ?, locked_by = ? WHERE name = ? AND lock_until <= ?"
local UNLOCK = "UPDATE shedlock SET lock_until = ? WHERE name = ? AND locked_by = ?"
local created_at = {}

local function at(ms)
  local s = math.floor(ms / 1000)
  return string.format("%02d:%02d:%02d", math.floor(s / 3600) % 24, math.floor(s / 60) % 60, s % 60)
end

-- Takes the lock for at most so many milliseconds: true, or false without waiting.
function lock(name, at_most)
  local db, created = node("db"), now() -- both times count from here, whichever statement takes the lock
  local lock_until = at(created + at_most)
  if not pcall(db.exec, INSERT, name, lock_until, at(created), process) then -- 1062: the row is there
    local time = at(now())
    if db.exec(UPDATE, lock_until, time, process, name, time) == 0 then
      refused(name)
      return false
    end
  end
  created_at[name] = created
  enter(name)
  return true
end

-- Gives the lock back, but not before so many milliseconds after it was taken.
function unlock(name, at_least)
  leave(name)
  node("db").exec(UNLOCK, at(math.max(now(), created_at[name] + at_least)), name, process)
end
