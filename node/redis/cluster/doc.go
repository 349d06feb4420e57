// Package cluster is what a node of a Redis cluster answers about keys that it does not
// have. Every member has the map of slots and refuses foreign keys with MOVED or CROSSSLOT before
// its server is asked, so any server can be a member; MOVED names a node in place of an address. A
// slot may be on its way for as long as a lesson lasts, with ASK, ASKING and TRYAGAIN as in a real
// cluster. Keys do not move by themselves: one that is deleted on the old node is made on the new.
package cluster
