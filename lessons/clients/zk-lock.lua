-- A lock of one ephemeral znode. Who finds it there watches it; when it goes, all who
-- watch it are told, and at most one of them gets it.

local zk = node("zk")

function lock(path)
  while true do
    local made, problem = pcall(zk.create, path, me, { ephemeral = true })
    if made then
      enter(path)
      return
    elseif not problem:find("^NODEEXISTS") then
      error(problem, 0)
    end
    want(path)
    if zk.exists(path, true) then
      zk.event(path)
    end
  end
end

function unlock(path)
  leave(path)
  zk.delete(path)
end
