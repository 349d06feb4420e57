-- A page that takes the database two seconds, and is kept in Redis for ten.

function page(name)
  local text = redis.call("GET", name)
  if text ~= nil then
    return text
  end
  text = query()
  redis.call("SET", name, text, "PX", 10000)
  return text
end

-- What the page is without the cache. Who does it is inside the section database.
function query()
  enter("database")
  work("2s")
  leave("database")
  return "made by " .. me
end
