package keyspace

var zsetCommands = []Command{}
