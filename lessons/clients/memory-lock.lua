-- A lock in the memory of the process, as synchronized or a ReentrantLock of Java is one. (Those wake
-- a waiter at once; here it looks again every 5 s.)

function lock(name)
  while shared.get(name) do
    sleep("5s")
  end
  shared.set(name, me)
  enter(name)
end

function unlock(name)
  leave(name)
  shared.set(name, nil)
end
