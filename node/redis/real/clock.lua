local lower, number, text = string.lower, tonumber, string.format
return function(at)
  local function left(unit, instant)
    local n = number(instant)
    return n and text('%.0f', n * unit - at)
  end
  return function(call)
    return function(name, ...)
      local args, c = {...}, lower(name)
      if c == 'time' then
        return {text('%.0f', (at - at % 1000) / 1000), text('%.0f', at % 1000 * 1000)}
      elseif c == 'expireat' or c == 'pexpireat' then
        args[2] = left(c == 'expireat' and 1000 or 1, args[2]) or args[2]
        return call('pexpire', unpack(args))
      elseif c == 'set' then
        for i = 3, #args - 1 do
          local w = lower(args[i])
          if w == 'exat' or w == 'pxat' then
            args[i], args[i + 1] = 'px', left(w == 'exat' and 1000 or 1, args[i + 1]) or args[i + 1]
            if number(args[i + 1]) and number(args[i + 1]) <= 0 then
              args[i + 1] = 1
              local answer = call(name, unpack(args))
              call('del', args[1])
              return answer
            end
          end
        end
      end
      return call(name, unpack(args))
    end
  end
end
