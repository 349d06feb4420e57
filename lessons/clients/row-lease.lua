-- A lock in a row of the table locks: whose it is, until when by the clock of whoever wrote it,
-- and rvn, the record version number: how often the row has changed. (DynamoDB's lock client
-- writes a UUID there.)

local db = node("db")
local rvn -- of the row as this client knows it

-- write is false if somebody else has changed the row since then.
local function write(owner, expires)
  local changed = db.exec("UPDATE locks SET owner = ?, expires = ?, rvn = rvn + 1 WHERE id = 1 AND rvn = ?", owner, expires, rvn)
  rvn = rvn + changed
  return changed == 1
end

function acquire(lease)
  while true do
    local row = db.query("SELECT owner, expires, rvn FROM locks WHERE id = 1")[1]
    rvn = row.rvn
    if row.expires < now() and write(me, now() + lease) then
      break
    end
    refused("lock")
    sleep("5s")
  end
  enter("lock")
end

-- heartbeat is false if the lock is lost.
function heartbeat(lease)
  return write(me, now() + lease)
end

function release()
  leave("lock")
  write("", 0)
end
