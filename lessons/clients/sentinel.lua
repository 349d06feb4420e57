-- A lock on the node that leads now, which a client learns from a sentinel.

function trylock(name, lease)
  if master().call("SET", name, me, "NX", "PX", lease) == nil then
    refused(name)
    return false
  end
  enter(name)
  return true
end

-- The lock counts only when so many replicas have it, too. Otherwise it is given back.
function trylock_with_copies(name, lease, replicas, wait)
  local leader = master()
  if leader.call("SET", name, me, "NX", "PX", lease) == nil then
    refused(name)
    return false
  end
  if leader.call("WAIT", replicas, wait) < replicas then
    refused(name)
    leader.eval("unlock", { name }, { me })
    return false
  end
  enter(name)
  return true
end

function unlock(name)
  leave(name)
  if master().eval("unlock", { name }, { me }) == 0 then
    refused(name) -- it is somebody else's by now, or nobody's
  end
end
