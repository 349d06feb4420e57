// Package zookeeper is an embedded ZooKeeper: a tree of znodes, sessions that expire by
// the virtual clock, and watches. It does what ZooKeeper 3.8 does, except that it stands for a
// whole ensemble: it has links, and no faults of its own.
//
// A znode is a key with a path for a name, and what ZooKeeper tells is a message on that path: a
// watch is a subscription that ends with its first message, made by the request that reads. A
// session expires by the node's clock, and only while its process is silent: pings take no steps.
package zookeeper
