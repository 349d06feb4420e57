local permits = redis.call('incrby', KEYS[1], ARGV[1])
redis.call('publish', KEYS[2], permits)
