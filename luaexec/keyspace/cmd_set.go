package keyspace

var setCommands = []Command{}
