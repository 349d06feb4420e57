package keyspace

var listCommands = []Command{}
